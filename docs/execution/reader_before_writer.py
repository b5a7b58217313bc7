"""Picture: a side stream reads before the current stream has written, and after it."""

from evidence.figures.marks import COSTLY, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

NAMES = ("current stream", "side stream")


def draw(axes):
    """Draw the two streams without a wait and with one."""
    early, right = cases(axes, {"no wait": NAMES, "wait_stream": NAMES}, end=12)
    for case in (early, right):
        box(axes, case["current stream"], (0, 4), "earlier work", WORK)
        box(axes, case["current stream"], (4, 7), "fill a", WORK)
    box(axes, early["side stream"], (0.8, 3), "sum a", COSTLY)
    box(axes, right["side stream"], (7.6, 9.8), "sum a", WORK)
    begin = (7, right["current stream"] - BOX / 2)
    arrow(axes, begin, (7.6, right["side stream"] + BOX / 2))
