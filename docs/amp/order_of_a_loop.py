"""Picture: which calls of a whole loop come for each batch, each group, and each step taken."""

from evidence.figures.marks import BEST, HOST, STEP, WORK
from evidence.figures.sketch import box, lanes

LANES = ("each batch", "each group", "each step taken", "now and then")


def draw(axes):
    """Draw the calls from left to right, each in the lane that says how often it comes."""
    batch, group, taken, rarely = lanes(axes, LANES, end=14).values()
    for begin in (0.0, 1.5):
        box(axes, batch, (begin, begin + 1.4), "backward", WORK)
    box(axes, group, (3.0, 4.6), "unscale_", HOST)
    box(axes, group, (4.7, 5.7), "clip", HOST)
    box(axes, group, (5.8, 6.8), "step", BEST)
    box(axes, group, (6.9, 8.2), "update", HOST)
    box(axes, taken, (8.3, 9.9), "schedule", STEP)
    box(axes, taken, (10.0, 11.4), "average", STEP)
    box(axes, rarely, (11.5, 12.9), "evaluate", WORK, alpha=0.2)
    box(axes, rarely, (13.0, 14.0), "save", WORK, alpha=0.2)
