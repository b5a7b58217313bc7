"""Picture: the stream after a capture that failed, by the kind of the error."""

from evidence.figures.marks import COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases

NAMES = ("default stream", "stream of the capture")


def draw(axes):
    """Draw where the work after a failed capture runs, in two cases."""
    python, cuda = cases(
        axes, {"error of Python": NAMES, "error of CUDA": NAMES}, end=12
    )
    for case in (python, cuda):
        box(axes, case["default stream"], (0, 3.4), "work before", HOST)
        box(axes, case["stream of the capture"], (4, 7.4), "capture", WORK)
    box(axes, python["default stream"], (8, 11.6), "work after", WORK)
    box(axes, cuda["stream of the capture"], (8, 11.6), "work after", COSTLY)
