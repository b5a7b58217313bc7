"""Picture: a deleted tensor's memory, with nothing done, with a wait, and recorded."""

from evidence.figures.marks import BEST, COSTLY, MUTED, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "its stream", "side stream"


def draw(axes):
    """Draw what fills the memory of x, or other memory, while a side stream reads x."""
    gap = "\n" if is_narrow(axes) else " "
    titles = "x deleted at once", "Its stream waits for the use", "record_stream"
    every = cases(axes, dict.fromkeys(titles, LANES), end=12)
    for case in every:
        box(axes, case["its stream"], (0, 2), "fill x", WORK)
        box(axes, case["side stream"], (0.8, 4.6), "earlier work", WORK)
        box(axes, case["side stream"], (4.6, 7), "read x", WORK)
    early, waits, recorded = every
    box(axes, early["its stream"], (2.2, 5), f"overwrite{gap}x", COSTLY)
    box(axes, waits["its stream"], (2, 7.6), "waits", MUTED, alpha=0.12)
    box(axes, waits["its stream"], (7.6, 10.6), f"same{gap}memory", BEST)
    below = waits["its stream"] - BOX / 2
    arrow(axes, (7, waits["side stream"] + BOX / 2), (7.6, below))
    box(axes, recorded["its stream"], (2.2, 5), f"other{gap}memory", BEST)
