"""Picture: the thread in which backward allocates, and whether it has lines of Python."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import arrow, box, cases


def draw(axes):
    """Draw the thread of autograd, and the calling thread that runs backward itself."""
    apart = ("caller", "autograd")
    first, second = cases(axes, {"default": apart, "multithreading off": apart}, end=10)
    box(axes, first["caller"], (0.3, 3), "forward", BEST)
    box(axes, first["caller"], (3.2, 9.6), "waits in backward()", HOST, alpha=0.12)
    box(axes, first["autograd"], (4, 9), "allocates, no line", COSTLY)
    arrow(axes, (3.6, first["caller"] - 0.31), (4.2, first["autograd"] + 0.31))
    box(axes, second["caller"], (0.3, 3), "forward", BEST)
    box(axes, second["caller"], (3.2, 9.6), "allocates in backward()", BEST)
