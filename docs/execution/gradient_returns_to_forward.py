"""Picture: a dropped gradient's memory, filled again without and with a wait."""

from evidence.figures.marks import BEST, COSTLY, MUTED, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "default stream", "side stream"


def draw(axes):
    """Draw what fills the memory of a gradient while the default stream reads it."""
    gap = "\n" if is_narrow(axes) else " "
    titles = "Wrong: dropped at once", "Right: the side stream waits"
    wrong, right = cases(axes, dict.fromkeys(titles, LANES), end=13)
    for case in (wrong, right):
        box(axes, case["side stream"], (0, 2), "forward", WORK)
        box(axes, case["side stream"], (2, 4.6), "backward", WORK)
        box(axes, case["default stream"], (4.6, 7.1), f"earlier{gap}work", WORK)
        box(axes, case["default stream"], (7.1, 9.8), f"read{gap}gradient", WORK)
    box(axes, wrong["side stream"], (4.8, 7.3), f"overwrite{gap}it", COSTLY)
    box(axes, right["side stream"], (4.6, 10.2), "waits", MUTED, alpha=0.12)
    box(axes, right["side stream"], (10.2, 12.9), f"same{gap}memory", BEST)
    start = 9.8, right["default stream"] - BOX / 2
    arrow(axes, start, (10.2, right["side stream"] + BOX / 2))
