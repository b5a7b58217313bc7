"""Picture: the stream after a capture that failed, by the age of PyTorch."""

from evidence.figures.marks import COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases

NAMES = ("default stream", "stream of the capture")


def draw(axes):
    """Draw where the work after a failed capture runs, in two cases."""
    newer, older = cases(axes, {"newer PyTorch": NAMES, "older PyTorch": NAMES}, end=12)
    for case in (newer, older):
        box(axes, case["default stream"], (0, 3.4), "work before", HOST)
        box(axes, case["stream of the capture"], (4, 7.4), "capture", WORK)
    box(axes, newer["default stream"], (8, 11.6), "work after", WORK)
    box(axes, older["stream of the capture"], (8, 11.6), "work after", COSTLY)
