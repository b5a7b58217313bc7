"""Picture: two runs with one seed, whose sums are added in other orders."""

from evidence.figures.marks import BEST, COSTLY, MUTED, WORK
from evidence.figures.sketch import box, lanes

FIRST, LAST = "large first,\nsmall is lost", "small first,\nall of it counts"
RUNS = {"run 0": (FIRST, LAST), "run 1": (LAST, FIRST)}
WEIGHTS = ("same", BEST, 0.35), ("close", COSTLY, 0.12), ("apart", COSTLY, 0.45)


def draw(axes):
    """Draw for each run its weights in turns with the sums that lead to the next weights."""
    heights = lanes(axes, tuple(RUNS), end=13)
    above = axes.get_ylim()[1] - 0.12
    for name, sums in RUNS.items():
        for place, (text, colour, alpha) in enumerate(WEIGHTS):
            start = 0.1 + 5.5 * place
            box(axes, heights[name], (start, start + 1.6), text, colour, alpha=alpha)
        for place, text in enumerate(sums):
            start = 1.8 + 5.5 * place
            box(axes, heights[name], (start, start + 3.7), text, WORK, alpha=0.15)
    titles = {"weights": (0.9, 6.4, 11.9), "sums": (3.65, 9.15)}
    for title, centres in titles.items():
        for x in centres:
            axes.text(x, above, title, ha="center", va="bottom", color=MUTED)
