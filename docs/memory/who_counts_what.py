"""Picture: the driver counts all processes, PyTorch its segments, and your tensors less."""

from evidence.figures.marks import BEST, COSTLY, HOST, STEP
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw what three counters see of one GPU, each a part of the one above."""
    at = lanes(axes, ("nvidia-smi", "reserved", "allocated"), end=12)
    box(axes, at["nvidia-smi"], (0, 2.6), "context", HOST)
    box(axes, at["nvidia-smi"], (2.6, 8.4), "segments", STEP)
    box(axes, at["nvidia-smi"], (8.4, 12), "others", COSTLY)
    box(axes, at["reserved"], (2.6, 6), "tensors", BEST)
    box(axes, at["reserved"], (6, 8.4), "cached", STEP)
    box(axes, at["allocated"], (2.6, 6), "tensors", BEST)
