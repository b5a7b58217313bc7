"""Picture: what a wait covers, and what comes later."""

from evidence.figures.marks import COPY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw the host's calls, the awaited stream, and the one that waits."""
    names = ("host", "current stream", "side stream")
    host, current, side = lanes(axes, names, 13).values()
    for at, text in enumerate(("step 1", "wait", "step 2", "use")):
        box(axes, host, (1.5 * at, 1.5 * at + 1.4), text, HOST)
    box(axes, current, (0.8, 5.8), "step 1", WORK)
    box(axes, current, (5.8, 10.8), "step 2", WORK)
    box(axes, side, (6.4, 9.4), "use", COPY)
    arrow(axes, (5.8, current - BOX / 2), (6.4, side + BOX / 2))
