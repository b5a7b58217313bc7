"""Picture: who moves the bytes of a copy to the GPU, from pageable and from pinned memory."""

from evidence.figures.marks import BEST, COPY, COSTLY, HOST, INK, WORK, is_narrow
from evidence.figures.sketch import arrow, box

#: Where the three places begin and end.
HOST_MEMORY, STAGING, GPU = (0, 1.8), (4.1, 6.0), (8.3, 10)


def draw(axes):
    """Draw two moves through the staging buffer, and one move without it."""
    for y, title, colour in ((0, "pageable", COSTLY), (-2, "pinned", BEST)):
        axes.text(0, y + 0.52, title, va="bottom", color=INK, weight="bold")
        box(axes, y, HOST_MEMORY, "tensor", colour)
        box(axes, y, GPU, "tensor\non GPU", WORK)
    box(axes, 0, STAGING, "staging\nbuffer", HOST)
    _move(axes, 0, (HOST_MEMORY[1], STAGING[0]), "host", "in the call", HOST)
    _move(axes, 0, (STAGING[1], GPU[0]), "engine", "in its turn", COPY)
    _move(axes, -2, (HOST_MEMORY[1], GPU[0]), "engine", "in its turn", COPY)
    axes.set(xlim=(-0.1, 10.1), ylim=(-2.6, 1.05))
    axes.figure.set_figheight(2.6 if is_narrow(axes) else 2.9)


def _move(axes, y, span, who, when, colour):
    """An arrow with who moves the bytes above it, and when below."""
    begin, end = span
    middle = (begin + end) / 2
    arrow(axes, (begin + 0.1, y), (end - 0.1, y), colour=colour)
    axes.text(middle, y + 0.1, who, ha="center", va="bottom", color=colour)
    axes.text(middle, y - 0.12, when, ha="center", va="top", color=colour)
