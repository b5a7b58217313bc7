"""Picture: an address to which three threads add, in two orders."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes

#: In each run: what arrives, and what the address holds then.
RUNS = {
    "run A": (("large", "large"), ("tiny", "large"), ("tiny", "large")),
    "run B": (("tiny", "tiny"), ("tiny", "small"), ("large", "larger")),
}
WIDTH = 3


def draw(axes):
    """Draw for each run the numbers that arrive and the sum behind each of them."""
    heights = lanes(axes, tuple(RUNS), end=len(RUNS["run A"]) * WIDTH)
    for name, steps in RUNS.items():
        last = COSTLY if name == "run A" else BEST
        for place, (added, held) in enumerate(steps):
            start = place * WIDTH
            box(
                axes,
                heights[name],
                (start + 0.04, start + 1.4),
                f"+{added}",
                WORK,
                alpha=0.1,
            )
            colour = last if place == len(steps) - 1 else WORK
            box(axes, heights[name], (start + 1.5, start + 2.85), held, colour)
