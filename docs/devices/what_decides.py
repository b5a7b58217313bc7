"""Picture: questions that lead to the device of a new tensor, from the top to the first yes."""

from evidence.figures.marks import BEST, HOST, MUTED, PLAIN, is_narrow
from evidence.figures.sketch import arrow, box

#: Questions, and where a yes leads.
STEPS = (
    ("A device with\nan index?", "that GPU", BEST),
    ('A bare "cuda"?', "the current GPU", PLAIN),
    ("Made from a tensor?", "where that\ntensor is", BEST),
    ("Is a default\ndevice set?", "that device", PLAIN),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    narrow = is_narrow(axes)
    axes.set(xlim=(-0.1, 10.1), ylim=(-4.45, 0.45))
    axes.figure.set_figheight(4.4 if narrow else 4)
    wide = 4.4 if narrow else 3.4
    for row, (question, answer, colour) in enumerate(STEPS):
        box(axes, -row, (0, wide), question, HOST, alpha=0.12)
        box(axes, -row, (wide + 1, 10), answer, colour)
        arrow(axes, (wide, -row), (wide + 1, -row))
        axes.text(wide + 0.4, 0.04 - row, "yes", color=MUTED, ha="center", va="bottom")
        arrow(axes, (wide / 2, -row - 0.31), (wide / 2, -row - 0.69), "no")
    box(axes, -4, (0, wide), "on the CPU", PLAIN)
