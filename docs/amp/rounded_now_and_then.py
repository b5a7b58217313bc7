"""Picture: six small updates of a BF16 weight, rounded to the nearest number and at random."""

from evidence.figures.marks import BEST, COSTLY, PLAIN
from evidence.figures.sketch import box, lanes

STEPS, MOVES = 6, {2, 4}


def draw(axes):
    """Draw in which steps the weight stays, and in which it moves."""
    nearest, random = lanes(axes, ("to the nearest", "at random"), 12).values()
    for step in range(STEPS):
        span = (2 * step + 0.1, 2 * step + 1.9)
        box(axes, nearest, span, "stays", COSTLY)
        moves = step in MOVES
        box(axes, random, span, "moves" if moves else "stays", BEST if moves else PLAIN)
