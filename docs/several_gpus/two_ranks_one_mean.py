"""Picture: what a target counts on each of two ranks, with equal and with unequal parts."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases

NAMES = ("first rank", "second rank")


def draw(axes):
    """Draw each rank's targets, as wide as they count."""
    equal, unequal = cases(axes, {"Equal parts": NAMES, "Unequal parts": NAMES}, 12)
    for heights in (equal, unequal):
        for place in range(8):
            span = (0.1 + 1.48 * place, 1.5 + 1.48 * place)
            box(axes, heights["first rank"], span, "1/8", WORK)
    for place in range(8):
        span = (0.1 + 1.48 * place, 1.5 + 1.48 * place)
        box(axes, equal["second rank"], span, "1/8", BEST)
    for place in range(2):
        span = (0.1 + 5.92 * place, 5.94 + 5.92 * place)
        box(axes, unequal["second rank"], span, "1/2", COSTLY)
