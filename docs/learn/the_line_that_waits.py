"""Picture: the host calls the lines of a step, and the line that reads the loss waits for all."""

from evidence.figures.marks import BEST, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes, mark


def draw(axes):
    """Draw the calls of a step, the line that waits, and the kernels that it waits for."""
    at = lanes(axes, ("CPU", "GPU"), end=12)
    mark(axes, 10.6, "loss", BEST)
    lines = {"forward": 3, "backward": 3.4, "step": 2.2}
    done = 1.2
    for number, (text, length) in enumerate(lines.items()):
        called = 1.2 * number
        box(axes, at["CPU"], (called, called + 1.2), "call", HOST)
        begin, done = max(done, called + 1.2), done + length
        box(axes, at["GPU"], (begin, done), text, WORK)
    box(axes, at["CPU"], (3.6, 10.6), "item() waits", HOST, alpha=0.12)
    arrow(axes, (9.8, at["GPU"] + BOX / 2), (10.6, at["CPU"] - BOX / 2))
