"""Picture: which numbers each type has, and where a small and a large one fall."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes, mark

END = 12


def draw(axes):
    """Draw the range of each type, with what lies outside of it."""
    heights = lanes(axes, ["FP32", "BF16", "FP16"], END)
    box(axes, heights["FP32"], (0.2, 11.8), "finest", BEST)
    box(axes, heights["BF16"], (0.2, 11.8), "coarse", WORK)
    box(axes, heights["FP16"], (0.2, 4), "zero", COSTLY)
    box(axes, heights["FP16"], (4.1, 7.9), "fine", BEST)
    box(axes, heights["FP16"], (8, 11.8), "infinite", COSTLY)
    mark(axes, 2.1, "small gradient")
    mark(axes, 9.9, "large activation")
