"""Picture: what each device draws after a seed, and after one more draw on the CPU."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases

LANES = ("CPU", "GPU")


def draw(axes):
    """Draw a box for each number, in the order of its generator."""
    names = {"after a seed": LANES, "with one more draw on the CPU": LANES}
    plain, more = cases(axes, names, end=12)
    rows = {
        plain["CPU"]: ("ABC", BEST),
        plain["GPU"]: ("PQR", BEST),
        more["CPU"]: ("BCD", COSTLY),
        more["GPU"]: ("PQR", BEST),
    }
    box(axes, more["CPU"], (0.2, 2.8), "A", HOST)
    for height, (letters, colour) in rows.items():
        for place, letter in enumerate(letters):
            begin = 3.2 + 2.9 * place
            box(axes, height, (begin, begin + 2.7), letter, colour)
