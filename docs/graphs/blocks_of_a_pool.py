"""Picture: the memory that a small and a large graph take from one pool, in both orders."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases

LANES = ("first", "second")


def draw(axes):
    """Draw the place of each graph in memory: apart, or one within the other."""
    names = {"small graph first": LANES, "large graph first": LANES}
    small, large = cases(axes, names, end=12)
    box(axes, small["first"], (0.2, 3.2), "small", WORK)
    box(axes, small["second"], (3.4, 10.4), "large, in new memory", COSTLY)
    box(axes, large["first"], (0.2, 7.2), "large", WORK)
    box(axes, large["second"], (0.2, 3.2), "small", BEST)
