"""Picture: what takes a part of the peak rate, one reason after the other."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, WORK
from evidence.figures.sketch import box, lanes

#: What is left of the peak, and in which ink.
LEFT = {
    "the peak": (8, BEST),
    "little work": (6.6, WORK),
    "odd widths": (5, HOST),
    "more bits": (2.8, HOST),
    "lower clock": (2.2, COSTLY),
}


def draw(axes):
    """Draw what is left after each reason, and in outline what it took."""
    heights = lanes(axes, [*LEFT], 8)
    before = 8
    for name, (left, ink) in LEFT.items():
        box(axes, heights[name], (0, before), "", MUTED, alpha=0)
        box(axes, heights[name], (0, left), "", ink)
        before = left
