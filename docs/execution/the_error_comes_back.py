"""Picture: a lookup fails on the GPU, and the error reaches the host two lines later."""

from evidence.figures.marks import COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw three calls on the host, what the GPU runs, and where the error comes back."""
    at = lanes(axes, ("host", "GPU"), end=12)
    box(axes, at["host"], (0, 1.8), "look up", HOST)
    box(axes, at["host"], (1.8, 3.4), "add 1", HOST)
    box(axes, at["host"], (3.4, 9.6), "item() waits", HOST, alpha=0.12)
    box(axes, at["host"], (9.6, 11.8), "error", COSTLY)
    box(axes, at["GPU"], (0, 6.8), "earlier work", WORK)
    box(axes, at["GPU"], (6.8, 9.2), "look up", COSTLY)
    arrow(axes, (9.2, at["GPU"] + BOX / 2), (9.6, at["host"] - BOX / 2))
