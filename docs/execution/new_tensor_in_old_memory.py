"""Picture: a new tensor in a deleted one's memory, filled at once and after a wait."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "current stream", "side stream", "memory"


def draw(axes):
    """Draw when new is filled, and whose values the memory holds when old is summed."""
    titles = "The side stream does not wait", "The side stream waits"
    early, right = cases(axes, dict.fromkeys(titles, LANES), end=12)
    for case, filled, colour in ((early, 1, COSTLY), (right, 8, WORK)):
        box(axes, case["current stream"], (0, 4.4), "earlier work", WORK)
        box(axes, case["current stream"], (4.4, 7.4), "sum old", colour)
        box(axes, case["side stream"], (filled, filled + 2.8), "fill new", BEST)
        box(axes, case["memory"], (filled + 2.8, 12), "new", BEST)
        box(axes, case["memory"], (0, filled), "old", PLAIN)
        box(axes, case["memory"], (filled, filled + 2.8), "", BEST, alpha=0.12)
    start = 7.4, right["current stream"] - BOX / 2
    arrow(axes, start, (8, right["side stream"] + BOX / 2))
