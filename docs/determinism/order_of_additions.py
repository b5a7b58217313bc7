"""Picture: an address to which three threads add, in two orders, with three digits."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes

#: In each run: what arrives, and what the address holds then.
RUNS = {
    "run 1": (("100", "100"), ("+ 0.4", "100"), ("+ 0.4", "100")),
    "run 2": (("0.4", "0.4"), ("+ 0.4", "0.8"), ("+ 100", "101")),
}
WIDTH = 3


def draw(axes):
    """Draw for each run the numbers that arrive and the sum behind each of them."""
    heights = lanes(axes, tuple(RUNS), end=len(RUNS["run 1"]) * WIDTH)
    for name, steps in RUNS.items():
        last = COSTLY if name == "run 1" else BEST
        for place, (added, held) in enumerate(steps):
            start = place * WIDTH
            box(
                axes, heights[name], (start + 0.1, start + 1.4), added, WORK, alpha=0.12
            )
            colour = last if place == len(steps) - 1 else WORK
            box(axes, heights[name], (start + 1.6, start + 2.8), held, colour)
