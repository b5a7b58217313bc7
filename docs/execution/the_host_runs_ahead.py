"""Picture: the host runs ahead of the GPU until the queue is full, and waits for a result."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes, mark


def draw(axes):
    """Draw calls that return at once, one that waits for a place, and one for a result."""
    at = lanes(axes, ("host", "GPU"), end=12)
    mark(axes, 3.2, "queue full", COSTLY)
    mark(axes, 11, "result", BEST)
    for number in range(4):
        begin = 0.8 * number
        box(axes, at["host"], (begin, begin + 0.8), "call", HOST)
    box(axes, at["host"], (3.2, 5), "call waits", HOST, alpha=0.12)
    box(axes, at["host"], (5, 11), "item() waits", HOST, alpha=0.12)
    box(axes, at["GPU"], (0.9, 5), "kernel 1", WORK)
    for number in range(4):
        begin = 5 + 1.5 * number
        box(axes, at["GPU"], (begin, begin + 1.5), f"{number + 2}", WORK)
    arrow(axes, (5, at["GPU"] + BOX / 2), (5, at["host"] - BOX / 2))
    arrow(axes, (11, at["GPU"] + BOX / 2), (11, at["host"] - BOX / 2))
