"""Picture: two runs with a seed alone, and two with a seed and the switch."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases

LANES = "a run", "another"


def draw(axes):
    """Draw for each run the numbers that it draws, the order of its additions, and its weights."""
    titles = "With a seed alone", "With a seed and the switch"
    alone, both = cases(axes, dict.fromkeys(titles, LANES), end=10)
    rows = (
        (alone["a run"], "A + B + C", "weights", BEST),
        (alone["another"], "C + A + B", "others", COSTLY),
        (both["a run"], "A + B + C", "weights", BEST),
        (both["another"], "A + B + C", "weights", BEST),
    )
    for height, order, weights, colour in rows:
        box(axes, height, (0.1, 3.1), "A B C", WORK, alpha=0.15)
        box(axes, height, (3.3, 7), order, WORK if colour == BEST else COSTLY)
        box(axes, height, (7.2, 9.9), weights, colour)
