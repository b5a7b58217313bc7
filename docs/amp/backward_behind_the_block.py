"""Picture: a part of the model in FP32 stays in FP32 in backward, but only after the block."""

from evidence.figures.marks import BEST, COSTLY, HOST, PLAIN
from evidence.figures.sketch import box, cases

LOOPS = {
    "after the block": (5.4, "FP32", BEST),
    "inside the block": (11.4, "BF16", COSTLY),
    "after it, compiled by default": (5.4, "BF16", COSTLY),
}


def draw(axes):
    """Draw of each loop how far the block reaches, and the types of forward and backward."""
    lanes = dict.fromkeys(LOOPS, ("block", "types"))
    drawn = cases(axes, lanes, end=12)
    for case, (end, text, colour) in zip(drawn, LOOPS.values(), strict=True):
        block, types = case.values()
        box(axes, block, (0.3, end), "autocast", HOST, alpha=0.12)
        box(axes, types, (0.5, 2.7), "BF16", PLAIN)
        box(axes, types, (2.9, 5.1), "FP32", BEST)
        box(axes, types, (6.7, 8.9), text, colour)
        box(axes, types, (9.1, 11.3), "BF16", PLAIN)
