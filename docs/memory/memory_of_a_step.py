"""Picture: which memory is there in which part of a training step."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, PLAIN, STEP
from evidence.figures.sketch import box, lanes, mark

LANES = "weights, state", "activations", "gradients", "temporary"


def draw(axes):
    """Draw what each part of the memory holds, from forward to the optimizer's step."""
    at = lanes(axes, LANES, 12)
    for begin, text in ((4.2, "backward"), (8.6, "step")):
        mark(axes, begin, text, MUTED)
    box(axes, at["weights, state"], (0, 12), "always", HOST)
    box(axes, at["activations"], (0.2, 2.2), "more", BEST)
    box(axes, at["activations"], (2.2, 4.2), "all", BEST, alpha=0.6)
    box(axes, at["activations"], (4.2, 8.6), "fewer and fewer", BEST, alpha=0.2)
    box(axes, at["gradients"], (4.2, 8.6), "more and more", STEP, alpha=0.2)
    box(axes, at["gradients"], (8.6, 12), "all", STEP, alpha=0.6)
    box(axes, at["temporary"], (4.2, 8.6), "", PLAIN, alpha=0.2)
    box(axes, at["temporary"], (8.8, 11.8), "", COSTLY)
