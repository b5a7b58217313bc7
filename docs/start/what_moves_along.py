"""Picture: what a module takes along when it moves, and what it leaves on the CPU."""

from evidence.figures.marks import BEST, HOST, INK, MUTED, is_narrow
from evidence.figures.sketch import arrow, box

#: What moves with the module, and what stays.
ALONG = ("parameters", "buffers", "layers in a\nModuleList")
STAYS = ("a plain tensor", "layers in\na plain list", "a tensor made\nin forward")
STEP = 0.95


def draw(axes):
    """Draw what moves on top, each with an arrow to the GPU, and below it what stays."""
    narrow = is_narrow(axes)
    left, right = ((0.0, 4.2), (6.0, 10.0)) if narrow else ((0.8, 4.0), (6.2, 9.4))
    axes.set(xlim=(-0.2, 10.2), ylim=(-5 * STEP - 0.5, 1.2))
    axes.figure.set_figheight(5.2 if narrow else 4.8)
    for span, name in ((left, "CPU"), (right, "GPU")):
        axes.text(sum(span) / 2, 0.85, name, ha="center", color=INK, weight="bold")
    for row, part in enumerate((*ALONG, *STAYS)):
        y, moves = -STEP * row, row < len(ALONG)
        box(axes, y, left, part, MUTED if moves else HOST, alpha=0.12)
        if moves:
            box(axes, y, right, part, BEST)
            arrow(axes, (left[1], y), (right[0], y))
    axes.text(5.1, 0.38, "module.to(device)", ha="center", va="bottom", color=MUTED)
