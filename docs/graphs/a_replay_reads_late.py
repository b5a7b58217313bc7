"""Picture: a host that writes the next batch too early, and one that waits for the replay."""

from evidence.figures.marks import COPY, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

NAMES = ("host", "GPU")


def draw(axes):
    """Draw both lanes without a wait and with one."""
    early, right = cases(axes, {"at once": NAMES, "after the event": NAMES}, end=12)
    for case in (early, right):
        box(axes, case["host"], (0, 1.9), "replay", HOST)
        box(axes, case["GPU"], (2, 5), "work before", HOST)
        box(axes, case["GPU"], (5, 7), "copy", COPY)
        box(axes, case["GPU"], (7, 9), "step", WORK)
    box(axes, early["host"], (2.1, 4.9), "next batch", COSTLY)
    box(axes, right["host"], (9.2, 12), "next batch", WORK)
    begin = (9, right["GPU"] + BOX / 2)
    arrow(axes, begin, (9.6, right["host"] - BOX / 2))
