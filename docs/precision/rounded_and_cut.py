"""Picture: inputs go to the nearer of two neighbours, sums to the lower one."""

from evidence.figures.marks import BEST, COSTLY, INK, MUTED
from evidence.figures.sketch import arrow


def draw(axes):
    """Draw a line of coarse steps for inputs, and one of fine steps for sums."""
    axes.set(xlim=(-0.2, 8.2), ylim=(-2.6, 1.6))
    axes.figure.set_figheight(3.6)
    for y, name, step, points, colour in (
        (0, "inputs: rounded to the nearer", 4, ((1.2, 0), (3, 4), (5.4, 4)), BEST),
        (-2, "sums: finer steps, cut off", 1, ((1.8, 1), (4.5, 4), (6.7, 6)), COSTLY),
    ):
        axes.text(0, y + 1, name, color=INK, va="bottom")
        axes.plot([0, 8], [y, y], color=MUTED, linewidth=1.2)
        for place in range(0, 9, step):
            axes.plot([place, place], [y - 0.2, y + 0.2], color=MUTED, linewidth=1.5)
        for number, kept in points:
            axes.plot(number, y + 0.75, "o", color=colour)
            arrow(axes, (number, y + 0.7), (kept, y + 0.05), colour=colour)
