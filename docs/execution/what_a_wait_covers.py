"""Picture: what a wait covers, and what comes later."""

from evidence.figures.marks import COPY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw the host's calls, the awaited stream, and the one that waits."""
    names = ("host", "current stream", "side stream")
    host, current, side = lanes(axes, names, 14).values()
    for at, text in enumerate(("step 1", "wait", "step 2", "use")):
        box(axes, host, (1.9 * at, 1.9 * at + 1.8), text, HOST)
    box(axes, current, (1, 7.6), "step 1", WORK)
    box(axes, current, (7.6, 13.6), "step 2", WORK)
    box(axes, side, (8.2, 11.2), "use", COPY)
    arrow(axes, (7.6, current - BOX / 2), (8.2, side + BOX / 2))
