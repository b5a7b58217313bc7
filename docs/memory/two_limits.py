"""Picture: a memory fraction bounds what the allocator reserves, not what the process takes."""

from evidence.figures.marks import BEST, COSTLY, HOST, STEP
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw what two processes take of one GPU, and how far their limits reach."""
    at = lanes(axes, ("process 1", "process 2"), end=12)
    for lane in at.values():
        box(axes, lane, (0, 3), "context", HOST)
    box(axes, at["process 1"], (3, 6), "tensors", BEST)
    box(axes, at["process 1"], (6, 8), "cached", STEP)
    box(axes, at["process 2"], (3, 6.6), "tensors", BEST)
    mark(axes, 8, "limit of each", COSTLY)
