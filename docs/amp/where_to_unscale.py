"""Picture: four batches added up, with unscale after the last one or earlier."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases, moment


def draw(axes):
    """Draw what each batch adds, and where unscale comes, in the right and the wrong place."""
    lane = ("gradients",)
    names = {"once, at the end": lane, "too early": lane}
    first, second = cases(axes, names, end=10)
    for case, last, text, colour in (
        (first, 8.2, "step", BEST),
        (second, 8.2, "step", COSTLY),
    ):
        for place in range(4):
            begin = 0.2 + 1.9 * place
            box(axes, case["gradients"], (begin, begin + 1.7), "scaled", WORK)
        box(axes, case["gradients"], (last, 9.8), text, colour)
    moment(axes, 7.95, first, "unscale_", BEST)
    moment(axes, 3.9, second, "unscale_", COSTLY)
