"""Picture: two runs with one seed, whose sums are added in other orders."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes

RUNS = {"run 0": ("a + b + c", "b + a + c"), "run 1": ("c + a + b", "a + c + b")}
WEIGHTS = ("same", BEST, 0.35), ("close", COSTLY, 0.12), ("apart", COSTLY, 0.45)


def draw(axes):
    """Draw for each run its weights in turns with the sums that lead to the next weights."""
    heights = lanes(axes, tuple(RUNS), end=13)
    for name, sums in RUNS.items():
        for place, (text, colour, alpha) in enumerate(WEIGHTS):
            start = 0.1 + 5.2 * place
            box(axes, heights[name], (start, start + 2.1), text, colour, alpha=alpha)
        for place, text in enumerate(sums):
            start = 2.4 + 5.2 * place
            box(axes, heights[name], (start, start + 2.7), text, WORK, alpha=0.15)
