"""Picture: bad batches move the scale from where weights train to where they freeze and break."""

from evidence.figures.marks import BEST, COSTLY, PLAIN
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw the stretches of the scale, from high to low, and where a floor keeps it."""
    scale, floor = lanes(axes, ("scale", "with a floor"), 12).values()
    box(axes, scale, (0, 3.4), "trains", BEST)
    box(axes, scale, (3.4, 8.6), "freezes", PLAIN)
    box(axes, scale, (8.6, 12), "ruins", COSTLY)
    box(axes, floor, (0, 2.4), "trains", BEST)
    mark(axes, 3.4, "zero gradients")
    mark(axes, 8.6, "1 / scale infinite")
