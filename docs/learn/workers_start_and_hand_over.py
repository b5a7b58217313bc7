"""Picture: workers make batches ahead; they have to start, and each batch is handed over."""

from evidence.figures.marks import COPY, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw the begin of an epoch: the start, two batches handed over, and their steps."""
    at = lanes(axes, ("your loop", "worker 1", "worker 2"), end=12)
    box(axes, at["your loop"], (0.1, 2.3), "start", COSTLY)
    box(axes, at["your loop"], (2.3, 4), "wait", HOST, alpha=0.12)
    for begin in 4, 8:
        box(axes, at["your loop"], (begin, begin + 1.3), "take", COSTLY)
        box(axes, at["your loop"], (begin + 1.3, begin + 4), "step", WORK)
    for worker, first in ("worker 1", 1.2), ("worker 2", 2.3):
        for number in range(3):
            begin = first + 2.7 * number
            batch = f"batch {int(worker[-1]) + 2 * number}"
            box(axes, at[worker], (begin, begin + 2.7), batch, COPY)
    arrow(axes, (3.9, at["worker 1"] + BOX / 2), (4.2, at["your loop"] - BOX / 2))
