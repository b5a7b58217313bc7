"""Picture: gradients below the range of FP16, and inside it after the scale."""

from math import exp

from evidence.figures.marks import BEST, COSTLY, HOST, INK, MUTED, is_narrow
from evidence.figures.sketch import arrow

#: Where the range of FP16 begins and ends, and the hill's middle without and with the scale.
BEGIN, END = 3.2, 8.8
ROWS = (("gradients as they are", 2.9, 0.0), ("times the scale", 6.4, -1.9))
HEIGHT, WIDTH = 0.9, 0.75


def hill(axes, middle, y):
    """Draw the gradients around a middle, in another color where they become zero."""
    places = [middle + WIDTH * step / 4 for step in range(-11, 12)]
    for lost, colour in ((True, COSTLY), (False, BEST)):
        xs = [x for x in places if (x < BEGIN) is lost]
        if lost and xs:
            xs.append(BEGIN)
        if not lost and xs[0] > places[0]:
            xs.insert(0, BEGIN)
        tops = [y + HEIGHT * exp(-(((x - middle) / WIDTH) ** 2) / 2) for x in xs]
        axes.fill_between(xs, [y] * len(xs), tops, color=colour, alpha=0.35)
        axes.plot(xs, tops, color=colour, linewidth=1.2)


def draw(axes):
    """Draw the same hill twice, over the range of FP16."""
    narrow = is_narrow(axes)
    axes.set(xlim=(-0.1, 12.1), ylim=(-2.75, 1.45))
    axes.figure.set_figheight(3.3 if narrow else 3.6)
    bottom = ROWS[-1][2]
    axes.fill_between([BEGIN, END], [bottom] * 2, [1.1] * 2, color=HOST, alpha=0.1)
    for x in (BEGIN, END):
        axes.plot(
            [x, x], [bottom, 1.1], color=MUTED, linewidth=1, linestyle=(0, (4, 3))
        )
    for name, middle, y in ROWS:
        axes.plot([0, 12], [y, y], color=MUTED, linewidth=1)
        hill(axes, middle, y)
        axes.text(12, y + 0.12, name.replace(" as", "\nas"), color=INK, ha="right")
    (_, before, y), (_, after, below) = ROWS
    arrow(axes, (before + 0.4, y - 0.12), (after - 0.4, below + HEIGHT + 0.1))
    under = bottom - 0.15
    size = "size of a gradient (logarithmic)"
    axes.text(0, 1.3, size, color=MUTED, va="center")
    for x, text in (
        (BEGIN / 2, "becomes\nzero"),
        ((BEGIN + END) / 2, "FP16 can hold it"),
        ((END + 12) / 2, "becomes\ninfinite"),
    ):
        axes.text(x, under, text, color=MUTED, ha="center", va="top")
