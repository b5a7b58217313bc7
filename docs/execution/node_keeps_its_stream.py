"""Picture: gradients that are added up in the current stream, or in an earlier pass's stream."""

from evidence.figures.marks import BEST, COSTLY, MUTED, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "current stream", "side stream"


def draw(axes):
    """Draw a pass after a graph that was dropped, and after one that was kept."""
    titles = "The earlier graph is dropped", "The earlier graph is kept"
    dropped, kept = cases(axes, dict.fromkeys(titles, LANES), end=10)
    for case in (dropped, kept):
        here = case["current stream"]
        box(axes, here, (0.4, 2.4), "forward", WORK)
        box(axes, here, (2.4, 4.4), "backward", WORK)
        box(axes, case["side stream"], (0.4, 6), "other work", MUTED, alpha=0.12)
    box(axes, dropped["current stream"], (4.4, 6), "add", BEST)
    box(axes, dropped["current stream"], (6, 8), "use", BEST)
    here, side = kept["current stream"], kept["side stream"]
    box(axes, side, (6, 7.6), "add", COSTLY)
    box(axes, here, (4.4, 7.6), "waits", MUTED, alpha=0.12)
    box(axes, here, (7.6, 9.6), "use", BEST)
    arrow(axes, (4.4, here - BOX / 2), (6, side + BOX / 2))
    arrow(axes, (7.6, side + BOX / 2), (7.6, here - BOX / 2))
