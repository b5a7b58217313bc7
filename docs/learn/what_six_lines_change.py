"""Picture: what the six lines add to a step, what they shorten, and what they leave as it was."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw a step without the six lines and one with them, as if they took equally long."""
    at = lanes(axes, ("without", "with"), end=12)
    box(axes, at["without"], (0, 8), "matmuls", BEST)
    box(axes, at["without"], (8, 12), "loss, Adam", HOST)
    box(axes, at["with"], (0, 2.4), "casts", COSTLY)
    box(axes, at["with"], (2.4, 5.2), "matmuls", BEST)
    box(axes, at["with"], (5.2, 8), "scaler", COSTLY)
    box(axes, at["with"], (8, 12), "loss, Adam", HOST)
