"""Picture: what a query gets whose keys are all masked, by the kind of the mask."""

from evidence.figures.marks import BEST, COSTLY, HOST, PLAIN
from evidence.figures.sketch import box, lanes


def draw(axes):
    """Draw what becomes of the scores with each mask, and what the query gets."""
    names = ("boolean", "large number", "all keys")
    boolean, number, everything = lanes(axes, names, 12).values()
    box(axes, boolean, (0, 7.4), "minus infinity", COSTLY)
    box(axes, boolean, (8, 12), "zeros", PLAIN)
    box(axes, number, (0, 2.6), "cast", HOST)
    box(axes, number, (2.6, 7.4), "minus infinity", COSTLY)
    box(axes, number, (8, 12), "zeros", PLAIN)
    box(axes, everything, (0, 7.4), "scores", HOST)
    box(axes, everything, (8, 12), "a result", BEST)
