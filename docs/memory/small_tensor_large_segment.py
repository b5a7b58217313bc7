"""Picture: a small tensor in a large segment keeps all of it, and one of its own does not."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED
from evidence.figures.sketch import box, lanes

LANES = "large tensor", "small one inside", "small one apart"


def draw(axes):
    """Draw a segment when it is full, when a small tensor is left, and when it is gone."""
    full, inside, apart = lanes(axes, LANES, 12).values()
    box(axes, full, (0.2, 11.8), "in use", HOST)
    box(axes, inside, (0.2, 1.4), "", COSTLY)
    box(axes, inside, (1.5, 11.8), "free, but not for CUDA", MUTED, alpha=0.12)
    box(axes, apart, (0.2, 1.4), "", BEST)
