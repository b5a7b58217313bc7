"""Picture: casts before the calls, the copy of a weight, and backward in the types of forward."""

from evidence.figures.marks import BEST, HOST, PLAIN
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw two uses of a weight and a loss in a block, and backward after it."""
    block, casts, calls, copy, backward = lanes(
        axes, ("block", "casts", "calls", "kept", "backward"), end=12
    ).values()
    box(axes, block, (0.1, 7.6), "autocast, BF16", HOST, alpha=0.12)
    box(axes, casts, (0.2, 1.5), "x, w", PLAIN)
    box(axes, casts, (4.5, 5.8), "y", PLAIN)
    for span, text, colour in (
        ((1.5, 2.9), "linear", BEST),
        ((3.0, 4.4), "linear", BEST),
        ((5.8, 7.2), "loss", HOST),
    ):
        box(axes, calls, span, text, colour)
    box(axes, copy, (1.5, 7.6), "copy of w", BEST, alpha=0.12)
    for span, text, colour in (
        ((7.8, 9.1), "FP32", HOST),
        ((9.2, 10.5), "BF16", BEST),
        ((10.6, 11.9), "BF16", BEST),
    ):
        box(axes, backward, span, text, colour)
