"""Picture: which foreign streams the default stream waits for by itself."""

from evidence.figures.marks import COSTLY, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = ("foreign stream", "default stream")


def draw(axes):
    """Draw a foreign stream that fills a tensor, and the default stream that reads it."""
    names = {"non-blocking stream": LANES, "plain stream": LANES}
    apart, tied = cases(axes, names, end=11)
    for case in (apart, tied):
        box(axes, case["foreign stream"], (0, 6), "fill x", WORK)
    box(axes, apart["default stream"], (0.8, 3.8), "sum x", COSTLY)
    box(axes, tied["default stream"], (6.6, 9.6), "sum x", WORK)
    begin = (6, tied["foreign stream"] - BOX / 2)
    arrow(axes, begin, (6.6, tied["default stream"] + BOX / 2))
