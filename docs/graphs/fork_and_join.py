"""Picture: work in another stream, with a fork and a join, and without either."""

from evidence.figures.marks import COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

NAMES = ("captured", "other")


def draw(axes):
    """Draw what the calls of two streams become, with both waits and with none."""
    both, none = cases(axes, {"fork and join": NAMES, "no wait": NAMES}, end=12)
    first, second = both.values()
    box(axes, first, (0.1, 2.5), "fork", HOST)
    box(axes, second, (3.4, 8.4), "recorded", WORK)
    box(axes, first, (9.2, 11.6), "join", HOST)
    arrow(axes, (2.5, first - BOX / 2), (3.4, second + BOX / 2))
    arrow(axes, (8.4, second + BOX / 2), (9.2, first - BOX / 2))
    box(axes, none["other"], (3.4, 8.4), "runs now", COSTLY)
    for case in (both, none):
        box(axes, case["captured"], (2.9, 7.9), "recorded", WORK)
