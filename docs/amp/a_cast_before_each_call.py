"""Picture: casts before the calls, the copy of a weight, and backward in the types of forward."""

from evidence.figures.marks import BEST, HOST, PLAIN
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw two uses of a weight and a loss in a block, and backward after it."""
    block, casts, calls, copy, backward = lanes(
        axes, ("block", "casts", "calls", "kept", "backward"), end=12
    ).values()
    box(axes, block, (0.1, 8.1), "autocast, BF16", HOST, alpha=0.12)
    box(axes, casts, (0.2, 1.5), "x, w", PLAIN)
    box(axes, casts, (5.2, 6.3), "y", PLAIN)
    for span, text, colour in (
        ((1.5, 3.3), "linear", BEST),
        ((3.4, 5.2), "linear", BEST),
        ((6.3, 7.9), "loss", HOST),
    ):
        box(axes, calls, span, text, colour)
    box(axes, copy, (1.5, 8.1), "copy of w", BEST, alpha=0.12)
    for span, text, colour in (
        ((8.4, 10.0), "FP32", HOST),
        ((10.1, 11.9), "BF16", BEST),
    ):
        box(axes, backward, span, text, colour)
