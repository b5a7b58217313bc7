"""Picture: the first pinning makes a block, and the next of its size finds it in the pool."""

from evidence.figures.marks import COPY, COSTLY, HOST, INK, PLAIN
from evidence.figures.sketch import arrow, box, lanes, mark


def draw(axes):
    """Draw what the host does, what holds the block, and the copies to the GPU."""
    at = lanes(axes, ("host", "block", "GPU"), end=16.2)
    axes.text(0, axes.get_ylim()[1] - 0.12, "first pinning", va="bottom", color=INK)
    mark(axes, 8.7, "dropped")
    mark(axes, 11, "again", INK)
    box(axes, at["host"], (0, 3.8), "allocate\nand pin", COSTLY)
    for pinned in (3.8, 11):
        box(axes, at["host"], (pinned, pinned + 1.8), "copy", HOST)
        box(axes, at["host"], (pinned + 1.9, pinned + 3.4), "call", HOST)
        box(axes, at["GPU"], (pinned + 3.1, pinned + 4.7), "copy", COPY)
    arrow(axes, (3.8, at["host"] - 0.31), (3.8, at["block"] + 0.31))
    box(axes, at["block"], (3.8, 8.7), "in use", PLAIN)
    box(axes, at["block"], (8.7, 11), "pool", PLAIN, alpha=0.1)
    box(axes, at["block"], (11, 16.1), "in use", PLAIN)
