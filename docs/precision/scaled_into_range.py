"""Picture: numbers outside the range of FP8, and moved into it by a scale."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases

#: Where the range begins and ends, and where numbers lie.
RANGE = 4, 9
CASES = {
    "no scale": ((0.5, 3, COSTLY),),
    "one scale": ((4.5, 7, BEST),),
    "one scale, with an outlier": ((0.5, 3, COSTLY), (8.2, 8.8, HOST)),
}


def draw(axes):
    """Draw the range in each case, and the numbers in a lane below it."""
    names = {
        title: (f"range{' ' * at}", f"numbers{' ' * at}")
        for at, title in enumerate(CASES)
    }
    for heights, numbers in zip(cases(axes, names, 10), CASES.values(), strict=True):
        above, below = heights.values()
        box(axes, above, RANGE, "FP8", HOST, alpha=0.2)
        for begin, end, ink in numbers:
            box(axes, below, (begin, end), "", ink)
