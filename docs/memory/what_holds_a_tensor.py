"""Picture: memory goes from a tensor to the cache, and from there to the driver."""

from evidence.figures.marks import BEST, COPY, COSTLY, INK, PLAIN, is_narrow
from evidence.figures.sketch import arrow, box

#: What holds memory, from the top, with its colour.
HOLDERS = (
    ("a tensor: allocated", BEST),
    ("PyTorch's cache: reserved", PLAIN),
    ("the driver: free", COPY),
)
#: What lets it go to the next holder.
STEPS = (
    "the last reference is dropped",
    "empty_cache(), or a request\nthat would fail",
)


def draw(axes):
    """Draw three boxes below each other, and what leads from one to the next."""
    narrow = is_narrow(axes)
    wide = 8 if narrow else 7.6
    axes.set(xlim=(-0.1, 10.1), ylim=(-3.7, 0.5))
    axes.figure.set_figheight(3.9 if narrow else 3.3)
    for row, (name, colour) in enumerate(HOLDERS):
        box(axes, -1.6 * row, (0, wide), name, colour)
    for row, step in enumerate(STEPS):
        x, y = 0.6, -1.6 * row
        arrow(axes, (x, y - 0.31), (x, y - 1.29))
        axes.text(x + 0.3, y - 0.8, step, va="center", color=INK)
        back = (5.4, y - 1.29), (5.4, y - 0.31)
        if not narrow:
            arrow(axes, *back, "a new tensor", COSTLY)
