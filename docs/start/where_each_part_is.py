"""Picture: which parts of a first program are on the CPU and which on the GPU, and what moves."""

from evidence.figures.marks import BEST, HOST, INK, MUTED, is_narrow
from evidence.figures.sketch import BOX, arrow, box

#: What moves, from the top: its text on the CPU, the call, and what it is on the GPU.
MOVES = (
    ("new model", "model.to(device)", "model"),
    ("batch", "x.to(device)", "batch"),
    ("number", "loss.item()", "loss"),
    ("", "", "gradients"),
)
STEP = 1.0


def draw(axes):
    """Draw two columns, the CPU and the GPU, and an arrow for each call that moves something."""
    narrow = is_narrow(axes)
    left, right = ((0.0, 3.0), (7.0, 10.0)) if narrow else ((0.6, 3.2), (6.8, 9.4))
    axes.set(xlim=(-0.2, 10.2), ylim=(-3 * STEP - 0.5, 1.1))
    axes.figure.set_figheight(3.6 if narrow else 3.2)
    for span, name in ((left, "CPU"), (right, "GPU")):
        axes.text(sum(span) / 2, 0.7, name, ha="center", color=INK, weight="bold")
    for row, (host, call, there) in enumerate(MOVES):
        y = -STEP * row
        box(axes, y, right, there, BEST)
        if host:
            box(axes, y, left, host, HOST, alpha=0.12)
            ends = (left[1], y), (right[0], y)
            arrow(axes, *(reversed(ends) if host == "number" else ends))
            axes.text(5, y + 0.12, call, ha="center", va="bottom", color=MUTED)
        if row > 1:  # the batch leads to the loss, and the loss to the gradients
            middle = sum(right) / 2
            arrow(axes, (middle, y + STEP - BOX / 2), (middle, y + BOX / 2))
