"""Picture: the blocks of a small kernel come after those of a large one, or next."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases

LANES = ("large kernel", "small kernel")


def draw(axes):
    """Draw the turns of a full GPU: the small kernel waits for all of them, or for one."""
    last, soon = cases(axes, {"equal priority": LANES, "urgent stream": LANES}, end=12)
    for turn in range(4):
        begin = 2.4 * turn
        later = 1.2 * (turn > 1)  # behind the small kernel
        box(axes, last["large kernel"], (begin, begin + 2.4), "blocks", WORK)
        span = begin + later, begin + later + 2.4
        box(axes, soon["large kernel"], span, "blocks", WORK)
    box(axes, last["small kernel"], (9.6, 10.8), "", COSTLY)
    box(axes, soon["small kernel"], (4.8, 6), "", BEST)
