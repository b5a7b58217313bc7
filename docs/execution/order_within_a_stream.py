"""Picture: the host calls three kernels at once, and one stream runs them in that order."""

from evidence.figures.marks import HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw three calls of the host, and the kernels of the one stream that they go to."""
    host, stream = lanes(axes, ("host", "stream"), 12).values()
    spans = {"fill a": (1.9, 6.8), "add to a": (6.8, 9), "sum a": (9, 11.2)}
    for at, (text, span) in enumerate(spans.items()):
        begin = 2 * at
        box(axes, host, (begin, begin + 1.9), text, HOST)
        box(axes, stream, span, text, WORK)
        called = begin + 1.9
        arrow(axes, (called, host - BOX / 2), (max(called, span[0]), stream + BOX / 2))
