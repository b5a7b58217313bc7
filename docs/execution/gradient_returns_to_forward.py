"""Picture: a dropped gradient's memory, filled again without and with a wait."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "default stream", "side stream"


def draw(axes):
    """Draw what fills the memory of a gradient while the default stream reads it."""
    gap = "\n" if is_narrow(axes) else " "
    titles = "Wrong: dropped at once", "Right: the side stream waits"
    wrong, right = cases(axes, dict.fromkeys(titles, LANES), end=12)
    for case in (wrong, right):
        box(axes, case["side stream"], (0, 1.9), "forward", WORK)
        box(axes, case["side stream"], (1.9, 4.2), "backward", WORK)
        box(axes, case["default stream"], (4.2, 6.6), f"earlier{gap}work", HOST)
        box(axes, case["default stream"], (6.6, 8.8), f"read{gap}gradient", WORK)
    box(axes, wrong["side stream"], (4.4, 6.8), f"overwrite{gap}it", COSTLY)
    box(axes, right["side stream"], (4.2, 9.2), "waits", MUTED, alpha=0.12)
    box(axes, right["side stream"], (9.2, 11.6), f"same{gap}memory", BEST)
    start = 8.8, right["default stream"] - BOX / 2
    arrow(axes, start, (9.2, right["side stream"] + BOX / 2))
