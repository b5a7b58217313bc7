"""Picture: the CPU loads and launches, one after the other; no clock says how long the GPU runs."""

from evidence.figures.marks import COPY, HOST, WORK
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw two steps: what the two clocks see, and where the kernels of each step can run."""
    at = lanes(axes, ("CPU", "GPU"), end=12)
    for begin in 0, 5.9:
        box(axes, at["CPU"], (begin, begin + 1.9), "loader", COPY)
        box(axes, at["CPU"], (begin + 1.9, begin + 5.8), "launches", HOST)
        box(axes, at["GPU"], (begin + 2.1, begin + 6), "kernels?", WORK, alpha=0.08)
