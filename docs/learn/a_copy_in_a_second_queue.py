"""Picture: the CPU queues two steps and a copy in another stream; when it runs is the question."""

from evidence.figures.marks import BEST, COPY, HOST, WORK
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw two steps that change the weights at their ends, and where the copy can run."""
    at = lanes(axes, ("CPU", "current stream", "side"), end=12)
    for begin, end, text in (0, 1.1, "1"), (1.15, 2.25, "2"), (2.3, 3.7, "copy"):
        box(axes, at["CPU"], (begin, end), text, HOST)
    for begin, text in (0.35, "step 1"), (5.25, "step 2"):
        box(axes, at["current stream"], (begin, begin + 4.9), text, WORK)
        mark(axes, begin + 4.9, "new weights", BEST)
    box(axes, at["side"], (3.7, 11.9), "copy?", COPY, alpha=0.08)
