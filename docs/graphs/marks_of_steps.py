"""Picture: how long results last, with a mark before each call and with one a step."""

from evidence.figures.marks import COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases, moment

NAMES = ("calls", "first result")
BEGIN = 2.6  # right of the names, which stand above the lanes on a phone


def draw(axes):
    """Draw two steps of two calls each, marked in two ways."""
    each, once = cases(
        axes,
        {"a mark before each call": NAMES, "a mark once a step": NAMES},
        end=BEGIN + 12,
    )
    for case, ends, colour in ((each, (3, 9), COSTLY), (once, (6, 12), WORK)):
        for call in range(4):
            begin = BEGIN + 3 * call
            box(axes, case["calls"], (begin, begin + 2.6), "call", HOST)
        for begin, end in zip((2.6, 8.6), ends, strict=True):
            span = BEGIN + begin, BEGIN + end - 0.05
            box(axes, case["first result"], span, "", colour)
    for x in (0, 3, 6, 9):
        moment(axes, BEGIN + x, each, "")
    for x in (0, 6):
        moment(axes, BEGIN + x, once, "")
