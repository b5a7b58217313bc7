"""Picture: each thread that calls cuBLAS has a workspace for each stream that it uses."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw three threads, and the workspaces that each of them holds."""
    at = lanes(axes, ("main", "autograd", "another"), end=12)
    box(axes, at["main"], (0, 4), "default stream", WORK)
    box(axes, at["main"], (4.4, 8.4), "side stream", COSTLY)
    box(axes, at["autograd"], (0, 4), "default stream", BEST)
    box(axes, at["another"], (0, 4), "default stream", BEST)
