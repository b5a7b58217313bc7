"""Picture: the innermost block decides the type of a product, and a new thread has no block."""

from evidence.figures.marks import BEST, COSTLY, HOST, PLAIN
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw a block, one inside it, and the types of products in the same thread and another."""
    outer, inner, types, thread = lanes(
        axes, ("block", "inner block", "product", "in a new thread"), end=12
    ).values()
    box(axes, outer, (0.2, 11.8), "autocast, BF16", HOST, alpha=0.12)
    box(axes, inner, (4.1, 7.9), "off", HOST, alpha=0.12)
    for span, text, colour in (
        ((0.4, 3.9), "BF16", PLAIN),
        ((4.3, 7.7), "FP32", BEST),
        ((8.1, 11.6), "BF16", PLAIN),
    ):
        box(axes, types, span, text, colour)
    box(axes, thread, (8.1, 11.6), "FP32", COSTLY)
