"""Picture: with decorators, backward runs in the state that forward had."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases


def draw(axes):
    """Draw forward in the block, and backward behind it, without decorators and with them."""
    without, decorated = cases(
        axes,
        {
            "without decorators": ("block", "function"),
            "with decorators": ("block", "function"),
        },
        end=12,
    )
    for case, colour, text in (
        (without, COSTLY, "backward:\nBF16 and FP32"),
        (decorated, BEST, "backward:\ncasts to BF16"),
    ):
        block, function = case.values()
        box(axes, block, (0.3, 5.4), "autocast", HOST, alpha=0.12)
        box(axes, function, (0.5, 5.2), "forward:\ncasts to BF16", BEST)
        box(axes, function, (6.7, 11.3), text, colour)
    box(axes, decorated["block"], (6.5, 11.5), "autocast again", HOST, alpha=0.12)
