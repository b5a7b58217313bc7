"""Picture: a copy between two GPUs waits for the current stream of each."""

from evidence.figures.marks import COPY, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw what each stream runs before and after the copy, and what waits for what."""
    source, target = lanes(axes, ("stream of cuda:0", "stream of cuda:1"), 12).values()
    box(axes, source, (0, 2.4), "write x", WORK)
    box(axes, target, (0, 4), "read old y", WORK)
    box(axes, source, (4.6, 7.4), "copy x to y", COPY)
    box(axes, source, (8, 11), "write x again", WORK)
    box(axes, target, (8, 11), "read new y", WORK)
    arrow(axes, (4, target + BOX / 2), (4.6, source - BOX / 2))
    arrow(axes, (7.4, source - BOX / 2), (8, target + BOX / 2))
