"""Picture: the CPU queues two steps and a copy in another stream; when it runs is the question."""

from evidence.figures.marks import BEST, COPY, HOST, WORK
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw two steps that change the weights at their ends, and where the copy can run."""
    at = lanes(axes, ("CPU", "current stream", "side"), end=12)
    for number, text in enumerate(("step 1", "step 2", "copy")):
        box(axes, at["CPU"], (0.1 + 1.6 * number, 1.7 + 1.6 * number), text, HOST)
    for begin, text in (0.6, "step 1"), (5.4, "step 2"):
        box(axes, at["current stream"], (begin, begin + 4.8), text, WORK)
        mark(axes, begin + 4.8, "weights change", BEST)
    box(axes, at["side"], (4.6, 11.9), "copy?", COPY, alpha=0.08)
