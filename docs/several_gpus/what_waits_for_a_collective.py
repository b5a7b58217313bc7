"""Picture: the host, the current stream and another stream, around a collective that is awaited."""

from evidence.figures.marks import COPY, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes

NAMES = ("host", "NCCL's stream", "current stream", "another stream")


def draw(axes):
    """Draw what each of them does from the call of the collective on."""
    host, nccl, current, other = lanes(axes, NAMES, 14).values()
    box(axes, host, (0, 2.4), "call", HOST)
    box(axes, host, (2.5, 4.9), "wait()", HOST)
    box(axes, host, (5, 8), "goes on", HOST)
    box(axes, nccl, (2.4, 9.5), "collective", COPY)
    box(axes, current, (2.6, 6.4), "other work", WORK)
    box(axes, current, (10.2, 13.4), "right", WORK)
    box(axes, other, (5.4, 9), "stale", COSTLY)
    arrow(axes, (9.5, nccl - BOX / 2), (10.2, current + BOX / 2))
