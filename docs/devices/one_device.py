"""Picture: one question leads to one device, which all parts of a program get."""

from evidence.figures.marks import BEST, HOST, MUTED, PLAIN, is_narrow
from evidence.figures.sketch import BOX, arrow, box

#: What gets the device.
PARTS = ("model", "batches", "autocast")


def draw(axes):
    """Draw the question on top, the two answers below it, and what gets the device."""
    narrow = is_narrow(axes)
    axes.set(xlim=(-0.1, 10.1), ylim=(-3.45, 0.45))
    axes.figure.set_figheight(3.8 if narrow else 3.4)
    box(axes, 0, (1.6, 8.4), "is an accelerator there?", HOST, alpha=0.12)
    box(axes, -1.5, (0.4, 4.4), "cuda", BEST)
    box(axes, -1.5, (5.6, 9.6), "cpu", PLAIN)
    for x, answer in ((2.4, "yes"), (7.6, "no")):
        arrow(axes, (x, -BOX / 2), (x, BOX / 2 - 1.5), answer)
    for place, part in enumerate(PARTS):
        begin = 0.2 + 3.3 * place
        box(axes, -3, (begin, begin + 3), part, MUTED, alpha=0.12)
    for begin, end in ((2.4, 1.7), (2.4, 5), (7.6, 5), (7.6, 8.3)):
        arrow(axes, (begin, -1.5 - BOX / 2), (end, BOX / 2 - 3))
