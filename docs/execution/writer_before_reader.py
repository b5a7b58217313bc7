"""Picture: the current stream writes before a side stream has read, and after it."""

from evidence.figures.marks import COSTLY, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

NAMES = ("side stream", "current stream")


def draw(axes):
    """Draw the two streams without a wait and with one."""
    early, right = cases(axes, {"no wait": NAMES, "wait_event": NAMES}, end=12)
    for case in (early, right):
        box(axes, case["side stream"], (0, 4), "earlier work", WORK)
        box(axes, case["side stream"], (4, 7), "sum x", WORK)
    box(axes, early["current stream"], (0.8, 3.4), "change x", COSTLY)
    box(axes, right["current stream"], (7.6, 10.2), "change x", WORK)
    begin = (7, right["side stream"] - BOX / 2)
    arrow(axes, begin, (7.6, right["current stream"] + BOX / 2))
