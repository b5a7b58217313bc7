"""Picture: a prefetcher's calls, its two streams, and the two waits between them."""

from evidence.figures.marks import COPY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw the calls in their order, what runs in each stream, and what waits for what."""
    between = "\n" if is_narrow(axes) else " "
    at = lanes(axes, ("host", "side stream", "main stream"), end=12)
    host, side, main = at.values()
    for place, call in enumerate(("send 1", "send 2", "work 1", "send 3", "work 2")):
        text = call.replace(" ", between)
        box(axes, host, (1.25 * place, 1.25 * (place + 1)), text, HOST)
    box(axes, host, (6.25, 12), f"and so on,{between}without waiting", HOST, alpha=0.12)
    for number, begin in enumerate((1.2, 3.6, 7.6), 1):
        box(axes, side, (begin, begin + 2.4), f"copy {number}", COPY)
    for number, begin in enumerate((3.7, 7.5), 1):
        box(axes, main, (begin, begin + 3.8), f"work {number}", WORK)
    below, above = side - BOX / 2, main + BOX / 2
    arrow(axes, (3.6, below), (3.7, above), "wait_event", COPY)
    arrow(axes, (7.5, above), (7.6, below), "wait_stream", WORK)
