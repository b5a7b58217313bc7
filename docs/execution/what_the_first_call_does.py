"""Picture: what the first call sets up before its kernel runs, and the second call."""

from evidence.figures.marks import HOST, STEP, WORK
from evidence.figures.sketch import box, cases


def draw(axes):
    """Draw the steps of the first call and of the second one, and the kernel that each runs."""
    names = ("host", "GPU")
    first, second = cases(axes, {"first call": names, "second call": names}, end=12)
    box(axes, first["host"], (0, 4.6), "context", STEP)
    box(axes, first["host"], (4.6, 8.2), "load kernel", STEP)
    for case, at in ((first, 8.2), (second, 0)):
        box(axes, case["host"], (at, at + 1.8), "launch", HOST)
        box(axes, case["GPU"], (at + 1.8, at + 3.6), "kernel", WORK)
