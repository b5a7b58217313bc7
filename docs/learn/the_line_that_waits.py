"""Picture: the host calls the lines of a step, and the line that reads the loss waits for all."""

from evidence.figures.marks import BEST, COPY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes, mark


def draw(axes):
    """Draw a step: calls and wait as measured, the kernels roughly."""
    at = lanes(axes, ("CPU", "GPU"), end=12)
    mark(axes, 3.4, "loss computed", BEST)
    mark(axes, 10.7, "loss read", BEST)
    box(axes, at["CPU"], (0, 2.5), "4 calls", HOST)
    box(axes, at["CPU"], (2.5, 10.7), "item() waits", HOST, alpha=0.12)
    begin = 0.35
    for text, end in {"forward": 3.4, "backward": 9, "step": 10.4}.items():
        box(axes, at["GPU"], (begin, end), text, WORK)
        begin = end
    box(axes, at["GPU"], (10.4, 10.7), "", COPY)
    axes.text(10.85, at["GPU"], "copy", va="center", color=COPY)
    arrow(axes, (10.7, at["GPU"] + BOX / 2), (10.7, at["CPU"] - BOX / 2))
