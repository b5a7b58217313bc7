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
            start = 0.1 + 5.2 * place
            box(axes, heights[name], (start, start + 2.1), text, colour, alpha=alpha)
        for place, text in enumerate(sums):
            start = 2.4 + 5.2 * place
            box(axes, heights[name], (start, start + 2.7), text, WORK, alpha=0.15)
    titles = {"weights": (1.15, 6.35, 11.55), "sums": (3.75, 8.95)}
    for title, centres in titles.items():
        for x in centres:
            axes.text(x, above, title, ha="center", va="bottom", color=MUTED)
