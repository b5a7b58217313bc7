"""Picture: when in a training step the state of a scaler is up to date."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw the calls of a training step, the old state, and the moment to save."""
    calls, state = lanes(axes, ("calls", "state"), 10).values()
    box(axes, calls, (0.2, 3.6), "backward", HOST)
    box(axes, calls, (3.8, 5.8), "step", HOST)
    box(axes, calls, (6.0, 8.6), "update", HOST)
    box(axes, state, (3.8, 8.6), "old", COSTLY)
    mark(axes, 9.2, "save", BEST)
