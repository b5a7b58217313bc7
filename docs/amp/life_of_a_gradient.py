"""Picture: from backward to unscale_, gradients are scaled, and the scale must stay as it is."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, is_narrow
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw the calls of an iteration, what the gradients hold, and how long the scale stays."""
    narrow = is_narrow(axes)
    program, gradients, scale = lanes(axes, ("program", ".grad", "scale"), 10).values()
    calls = {
        "backward": (0.2, 2.6),
        "unscale_": (2.7, 4.6),
        "clip": (4.7, 5.7),
        "step": (5.8, 7),
        "update": (7.1, 8.7),
    }
    for call, span in calls.items():
        box(axes, program, span, call, HOST)
    box(axes, gradients, (0.2, 4.6), "scaled", COSTLY)
    box(axes, gradients, (4.7, 10), "true size", BEST)
    box(axes, scale, (0.2, 8.7), "one scale for all of them", BEST)
    box(axes, scale, (8.8, 10), "next" if narrow else "the next", MUTED, alpha=0.12)
    mark(axes, 4.65, "here you may clip, log or change")
