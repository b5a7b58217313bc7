"""Picture: a dropped input's memory, filled before backward reads it, or left alone."""

from evidence.figures.marks import BEST, COSTLY, WORK, is_narrow
from evidence.figures.sketch import box, cases

LANES = "default stream", "side stream"


def draw(axes):
    """Draw what the default stream fills between the two uses of an input in the side stream."""
    gap = "\n" if is_narrow(axes) else " "
    titles = "Wrong: dropped after forward", "Right: recorded before it is dropped"
    wrong, right = cases(axes, dict.fromkeys(titles, LANES), end=13)
    for case in (wrong, right):
        box(axes, case["default stream"], (0, 2), "make x", WORK)
        box(axes, case["side stream"], (2, 5.5), f"forward{gap}reads x", WORK)
        box(axes, case["side stream"], (5.5, 8.6), f"earlier{gap}work", WORK)
    box(axes, wrong["default stream"], (5.7, 8.6), f"overwrite{gap}x", COSTLY)
    box(axes, wrong["side stream"], (8.6, 12.7), f"backward{gap}reads x", COSTLY)
    box(axes, right["default stream"], (5.7, 8.6), f"other{gap}memory", BEST)
    box(axes, right["side stream"], (8.6, 12.7), f"backward{gap}reads x", BEST)
