"""Picture: when in a training step the state of a scaler is up to date."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw two training steps, the old state in each, and the moments to save."""
    (calls, state) = lanes(axes, ("calls", "state"), 10).values()
    for begin in (0, 5):
        box(axes, calls, (begin + 0.2, begin + 2.2), "backward", HOST)
        box(axes, calls, (begin + 2.3, begin + 3.3), "step", HOST)
        box(axes, calls, (begin + 3.4, begin + 4.6), "update", HOST)
        box(axes, state, (begin + 2.3, begin + 4.6), "old", COSTLY)
        mark(axes, begin + 4.8, "save", BEST)
