"""Picture: the host queues three kernels, and where each clock reads."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, WORK
from evidence.figures.sketch import arrow, box, lanes, mark


def draw(axes):
    """Draw two lanes, the calls that fill the queue, and three readings."""
    at = lanes(axes, ("host", "GPU"), end=11)
    mark(axes, 1.4, "start", MUTED)
    mark(axes, 3.85, "too early", COSTLY)
    mark(axes, 9.2, "right", BEST)
    for number in range(3):
        called = 2.1 + 0.8 * number
        box(axes, at["host"], (called - 0.7, called), "call", HOST)
        run = 2.2 + 2.3 * number
        box(axes, at["GPU"], (run, run + 2.3), f"kernel {number + 1}", WORK)
        arrow(axes, (called, at["host"] - 0.31), (run + 0.1, at["GPU"] + 0.31))
    box(axes, at["host"], (3.9, 9.2), "synchronize()", HOST, alpha=0.12)
