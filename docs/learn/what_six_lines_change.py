"""Picture: what the six lines add to a step, what they shorten, and what they leave as it was."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases


def draw(axes):
    """Draw a step of a wide model without the six lines, and one with them, not to scale."""
    without, mixed = cases(
        axes, dict.fromkeys(("without", "with the six lines"), ("CPU", "GPU")), end=12
    )
    box(axes, without["CPU"], (0, 2.4), "calls", HOST)
    box(axes, without["CPU"], (2.4, 12), "item() waits", HOST, alpha=0.12)
    box(axes, without["GPU"], (0.3, 10), "matmuls", BEST)
    box(axes, without["GPU"], (10, 12), "Adam", HOST)

    box(axes, mixed["CPU"], (0, 3.2), "more calls", COSTLY)
    box(axes, mixed["CPU"], (3.2, 5.4), "waits", COSTLY, alpha=0.12)
    box(axes, mixed["CPU"], (5.4, 7), "calls", HOST)
    box(axes, mixed["CPU"], (7, 8.9), "waits", HOST, alpha=0.12)
    box(axes, mixed["GPU"], (0.3, 1.7), "casts", COSTLY)
    box(axes, mixed["GPU"], (1.7, 3.9), "matmuls", BEST)
    box(axes, mixed["GPU"], (3.9, 5.4), "check", COSTLY)
    box(axes, mixed["GPU"], (6.9, 8.9), "Adam", HOST)
