"""Picture: copies whose calls wait for the stream, and copies whose calls do not."""

from evidence.figures.marks import BEST, COPY, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases, moment

LANES = "host", "stream"


def draw(axes):
    """Draw a copy to the GPU, a kernel and a copy back, by default and without waits."""
    default, free = cases(
        axes, {"default": LANES, "non_blocking=True": LANES}, end=12.6
    )
    host, stream = default["host"], default["stream"]
    box(axes, host, (0, 3.9), "in: waits", HOST)
    box(axes, host, (3.95, 5.85), "kernel", HOST)
    box(axes, host, (5.9, 11.3), "out: waits", HOST)
    box(axes, stream, (0.8, 3.9), "copy in", COPY)
    box(axes, stream, (5.8, 8.3), "kernel", WORK)
    box(axes, stream, (8.3, 11.3), "copy out", COPY)
    moment(axes, 11.65, default, "right", BEST)

    host, stream = free["host"], free["stream"]
    box(axes, host, (0, 1), "in", HOST)
    box(axes, host, (1.05, 2.95), "kernel", HOST)
    box(axes, host, (3, 4.1), "out", HOST)
    box(axes, host, (6.3, 9.4), "wait", HOST, alpha=0.12)
    box(axes, stream, (0.8, 3.9), "copy in", COPY)
    box(axes, stream, (3.9, 6.4), "kernel", WORK)
    box(axes, stream, (6.4, 9.4), "copy out", COPY)
    moment(axes, 6.15, free, "too early", COSTLY)
    moment(axes, 9.75, free, "right", BEST)
