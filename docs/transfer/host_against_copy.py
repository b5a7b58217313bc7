"""Picture: the host writes to a source and reads a result, too early and in time."""

from evidence.figures.marks import BEST, COPY, COSTLY, HOST, MUTED, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw a stream between its source and its result, and what the host does to both."""
    names = "host writes", "source", "stream", "result", "host reads"
    at = lanes(axes, names, end=12)
    for name, begin, end, text, colour in (
        ("host writes", 0, 1.6, "send", HOST),
        ("host writes", 1.7, 3.3, "early", COSTLY),
        ("host writes", 5.7, 7.3, "right", BEST),
        ("source", 0, 2.9, "batch 1", MUTED),
        ("source", 2.9, 12, "batch 2", COSTLY),
        ("stream", 0.4, 3.6, "other work", WORK),
        ("stream", 3.6, 5.6, "copy", COPY),
        ("stream", 5.6, 7.6, "work", WORK),
        ("stream", 7.6, 9.6, "copy", COPY),
        ("result", 0, 7.6, "old bytes", COSTLY),
        ("result", 9.6, 12, "result", BEST),
        ("host reads", 3.6, 5.2, "fetch", HOST),
        ("host reads", 5.3, 6.9, "early", COSTLY),
        ("host reads", 9.8, 11.4, "right", BEST),
    ):
        box(axes, at[name], (begin, end), text, colour)
    for x, above, below, colour in (
        (3.1, "host writes", "source", COSTLY),
        (4.6, "source", "stream", COSTLY),
        (9.6, "stream", "result", COPY),
        (6.1, "result", "host reads", COSTLY),
        (10.6, "result", "host reads", BEST),
    ):
        span = (x, at[above] - BOX / 2), (x, at[below] + BOX / 2)
        arrow(axes, *span, colour=colour)
