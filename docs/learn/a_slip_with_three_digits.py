"""Picture: three numbers are added in two orders on a slip that has room for three digits."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes

#: In each run: what arrives, and what the slip says then.
RUNS = {
    "run 0": (("500", "500"), ("0.4", "500"), ("0.4", "500")),
    "run 1": (("0.4", "0.4"), ("0.4", "0.8"), ("500", "501")),
}
WIDTH = 4


def draw(axes):
    """Draw for each run the numbers that arrive, and what the slip says after each."""
    heights = lanes(axes, tuple(RUNS), end=3 * WIDTH)
    for name, steps in RUNS.items():
        last = COSTLY if name == "run 0" else BEST
        for place, (added, held) in enumerate(steps):
            start = place * WIDTH
            span = (start + 0.1, start + 1.9)
            box(axes, heights[name], span, f"+{added}", WORK, alpha=0.1)
            colour = last if place == len(steps) - 1 else WORK
            box(axes, heights[name], (start + 2.0, start + 3.7), held, colour)
