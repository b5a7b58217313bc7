"""Picture: from backward to unscale_, gradients are scaled, and the scale must stay as it is."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED
from evidence.figures.sketch import box, lanes, moment


def draw(axes):
    """Draw the calls of an iteration, what the gradients hold, and how long the scale stays."""
    heights = lanes(axes, ("program", ".grad", "scale"), 13)
    program, gradients, scale = heights.values()
    calls = {
        "backward": (0.1, 3),
        "unscale_": (3.1, 5.9),
        "clip": (6.1, 7.5),
        "step": (7.6, 9.1),
        "update": (9.2, 11.4),
    }
    for call, span in calls.items():
        box(axes, program, span, call, HOST)
    box(axes, gradients, (0.1, 5.9), "scaled", COSTLY)
    box(axes, gradients, (6.1, 13), "true size", BEST)
    box(axes, scale, (0.1, 11.4), "one scale for all", BEST)
    box(axes, scale, (11.5, 13), "next", MUTED, alpha=0.12)
    upper = {name: heights[name] for name in ("program", ".grad")}
    moment(axes, 6, upper, "from here, clip, log or change")
