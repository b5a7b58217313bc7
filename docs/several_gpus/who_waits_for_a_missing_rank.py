"""Picture: the host goes on, the GPU waits for a missing rank, and the watchdog ends it."""

from evidence.figures.marks import COPY, COSTLY, HOST
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw the call, the wait of the GPU, and what ends it at the timeout."""
    host, gpu, watchdog = lanes(axes, ("host", "GPU", "watchdog"), 14).values()
    mark(axes, 10, "timeout")
    box(axes, host, (0.4, 2.4), "call", HOST)
    box(axes, host, (2.5, 5.7), "goes on", HOST)
    box(axes, gpu, (2.5, 10), "waits for the rank", COPY)
    box(axes, watchdog, (10, 13.6), "ends it", COSTLY)
