"""Picture: the host runs ahead of the GPU until the queue is full, and waits for a result."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes, mark


def draw(axes):
    """Draw calls that return at once, one that waits for a place, and one for a result."""
    at = lanes(axes, ("host", "GPU"), end=11.8)
    mark(axes, 3.6, "queue full", COSTLY)
    mark(axes, 10.8, "result", BEST)
    for number in range(3):
        begin = 1.2 * number
        box(axes, at["host"], (begin, begin + 1.2), "call", HOST)
    box(axes, at["host"], (3.6, 5.4), "waits", HOST, alpha=0.12)
    box(axes, at["host"], (5.4, 10.8), "item() waits", HOST, alpha=0.12)
    box(axes, at["GPU"], (0.6, 5.4), "1", WORK)
    for number in range(3):
        begin = 5.4 + 1.8 * number
        box(axes, at["GPU"], (begin, begin + 1.8), f"{number + 2}", WORK)
    arrow(axes, (5.4, at["GPU"] + BOX / 2), (5.4, at["host"] - BOX / 2))
    arrow(axes, (10.8, at["GPU"] + BOX / 2), (10.8, at["host"] - BOX / 2))
