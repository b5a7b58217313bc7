"""Picture: what stays from step to step, and what a batch brings and takes along."""

from evidence.figures.marks import BEST, HOST, PLAIN, STEP, WORK
from evidence.figures.sketch import box, lanes, mark

MOMENTS = "moment 1", "moment 2"
LANES = "step", "weights", *MOMENTS, "gradients", "results", "their gradients"


def draw(axes):
    """Draw two steps: the first brings what stays; results and their gradients come and go."""
    at = lanes(axes, LANES, end=12)
    for begin, text in ((0, "first"), (6, "second")):
        box(axes, at["step"], (begin + 0.2, begin + 5.6), text, HOST, alpha=0.12)
        box(axes, at["results"], (begin + 0.3, begin + 4), "come, go", BEST)
        box(axes, at["their gradients"], (begin + 1.9, begin + 4), "", WORK)
    mark(axes, 9.85, "peak", BEST)
    box(axes, at["weights"], (0, 12), "always", HOST)
    for name in MOMENTS:
        box(axes, at[name], (4.3, 12), "from step() on", PLAIN)
    box(axes, at["gradients"], (1.9, 7.6), "until zero_grad()", STEP)
    box(axes, at["gradients"], (7.9, 12), "", STEP)
    axes.text(10.95, at["gradients"], "new", ha="center", va="center")
