"""Picture: one question leads to one device, which all parts of a program get."""

from evidence.figures.marks import BEST, HOST, MUTED, PLAIN, is_narrow
from evidence.figures.sketch import BOX, arrow, box

#: What gets the device.
PARTS = ("model", "batches", "autocast")
STEP = 1.25


def draw(axes):
    """Draw the question on top, its two answers, the device, and what gets it."""
    narrow = is_narrow(axes)
    axes.set(xlim=(-0.1, 10.1), ylim=(-3 * STEP - 0.45, 0.45))
    axes.figure.set_figheight(4.2 if narrow else 3.8)
    box(axes, 0, (1.2, 8.8), "is an accelerator there?", HOST, alpha=0.12)
    for (begin, end), answer, device, colour in (
        ((0.4, 4.4), "yes", "cuda", BEST),
        ((5.6, 9.6), "no", "cpu", PLAIN),
    ):
        middle = (begin + end) / 2
        box(axes, -STEP, (begin, end), device, colour)
        arrow(axes, (middle, -BOX / 2), (middle, BOX / 2 - STEP), answer)
        arrow(axes, (middle, -STEP - BOX / 2), (middle, BOX / 2 - 2 * STEP))
    box(axes, -2 * STEP, (0.2, 9.8), "device", HOST, alpha=0.12)
    for place, part in enumerate(PARTS):
        begin = 0.2 + 3.3 * place
        middle = begin + 1.5
        box(axes, -3 * STEP, (begin, begin + 3), part, MUTED, alpha=0.12)
        arrow(axes, (middle, -2 * STEP - BOX / 2), (middle, BOX / 2 - 3 * STEP))
