"""Picture: with decorators, backward runs in the state that forward had."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases, moment


def draw(axes):
    """Draw forward in the block, and backward behind it, without decorators and with them."""
    without, decorated = cases(
        axes,
        {"without decorators": ("loop",), "with decorators": ("loop ",)},
        end=12,
    )
    for case, colour, text in (
        (without, COSTLY, "off: BF16\nmeets FP32"),
        (decorated, BEST, "as in forward:\ncast to BF16"),
    ):
        (lane,) = case.values()
        box(axes, lane, (0.4, 5.2), "forward:\nsaves FP32", HOST, alpha=0.12)
        box(axes, lane, (6.2, 11.2), text, colour)
        moment(axes, 5.6, case, "end of the block")
