"""Picture: the CPU queues two steps and a copy in another stream; when it runs is the question."""

from evidence.figures.marks import BEST, COPY, HOST, WORK
from evidence.figures.sketch import box, lanes, mark


def draw(axes):
    """Draw two steps that change the weights at their ends, and where the copy can run."""
    at = lanes(axes, ("CPU", "current stream", "side"), end=12)
    for number, text in enumerate(("step 1", "step 2", "copy")):
        begin = 1.3 * number
        box(axes, at["CPU"], (begin, begin + 1.25), text, HOST)
    for begin, text in (0.35, "step 1"), (5.6, "step 2"):
        box(axes, at["current stream"], (begin, begin + 5.25), text, WORK)
        mark(axes, begin + 5.25, "new weights", BEST)
    box(axes, at["side"], (3.85, 11.9), "copy?", COPY, alpha=0.08)
