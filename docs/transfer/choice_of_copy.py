"""Picture: questions that lead to a form of copy, from the top to the first yes."""

from evidence.figures.marks import BEST, HOST, MUTED, PLAIN, is_narrow
from evidence.figures.sketch import arrow, box

#: Questions, and where a yes leads.
STEPS = (
    ("From the GPU,\nmany times?", "into a pinned tensor\nthat you keep", BEST),
    ("Many small\ntensors?", "pack into a pinned\nbuffer that you keep", BEST),
    ("Only once,\nor a few KiB?", "copy it directly", PLAIN),
    ("One buffer,\nmany times?", "pin it once,\nand keep it", BEST),
    ("New each time,\nthreads to spare?", "pin_memory(),\nthen copy", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    narrow = is_narrow(axes)
    axes.set(xlim=(-0.1, 10.1), ylim=(-5.45, 0.45))
    axes.figure.set_figheight(5.2 if narrow else 4.8)
    wide = 4 if narrow else 3.4
    for row, (question, answer, colour) in enumerate(STEPS):
        box(axes, -row, (0, wide), question, HOST, alpha=0.12)
        box(axes, -row, (wide + 1, 10), answer, colour)
        arrow(axes, (wide, -row), (wide + 1, -row))
        axes.text(wide + 0.4, 0.04 - row, "yes", color=MUTED, ha="center", va="bottom")
        arrow(axes, (wide / 2, -row - 0.31), (wide / 2, -row - 0.69), "no")
    box(axes, -5, (0, wide), "copy it directly", PLAIN)
