"""Picture: which blocks are alive when the peak is reached, and at which line that is."""

from evidence.figures.marks import BEST, COSTLY, MUTED, STEP
from evidence.figures.sketch import box, lanes, mark

LANES = "first line", "second line", "third line", "last line"


def draw(axes):
    """Draw the blocks of four lines over the events of the allocator."""
    at = lanes(axes, LANES, 12)
    box(axes, at["first line"], (0.5, 11), "large", COSTLY)
    box(axes, at["second line"], (2.5, 11), "large", COSTLY)
    box(axes, at["third line"], (4.5, 11.6), "small", STEP)
    box(axes, at["last line"], (9.4, 12), "tiny", BEST)
    mark(axes, 9.6, "peak", MUTED)
