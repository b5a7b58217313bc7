"""Picture: which calls of a whole loop come for each batch, each group, and each step taken."""

from evidence.figures.marks import BEST, HOST, STEP, WORK
from evidence.figures.sketch import box, lanes

CALLS = {
    "each batch": ("backward", "backward", "backward", "backward"),
    "then, each group": ("unscale_", "clip", "step", "update"),
    "if it was taken": ("schedule", "average"),
    "now and then": ("evaluate", "save"),
}
COLOURS = (WORK, HOST, STEP, BEST)
WIDTH = 3.0


def draw(axes):
    """Draw the calls in their order: from left to right, and from lane to lane."""
    heights = lanes(axes, list(CALLS), end=12)
    for (lane, calls), colour in zip(CALLS.items(), COLOURS, strict=True):
        for place, call in enumerate(calls):
            begin = WIDTH * place
            box(axes, heights[lane], (begin + 0.1, begin + WIDTH - 0.1), call, colour)
