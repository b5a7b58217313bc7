"""Picture: workers take the fetching out of a loop; what is added is a start, and hand-overs."""

from evidence.figures.marks import COPY, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = {
    "without workers": ("your loop",),
    "with two workers": ("your loop", "worker 1", "worker 2"),
}
FETCH, STEP = 1.3, 2.9  # as measured: the loader takes about a third of the loop


def draw(axes):
    """Draw the begin of an epoch without workers, and of one with two."""
    alone, helped = cases(axes, LANES, end=12)
    loop = helped["your loop"]
    for begin in 0, FETCH + STEP:
        box(axes, alone["your loop"], (begin, begin + FETCH), "fetch", COPY)
        box(
            axes,
            alone["your loop"],
            (begin + FETCH, begin + FETCH + STEP),
            "step",
            WORK,
        )
    box(axes, loop, (0, 1.5), "start", COSTLY)
    box(axes, loop, (1.5, 3), "wait", HOST, alpha=0.12)
    for begin in 3, 7.3:
        box(axes, loop, (begin, begin + 1.4), "take", COSTLY)
        box(axes, loop, (begin + 1.4, begin + 1.4 + STEP), "step", WORK)
    # Each makes two ahead, and one more for each of its own that the loop has taken.
    for lane, begins in ("worker 1", (1.2, 2.6, 4.4)), ("worker 2", (1.5, 2.9, 8.6)):
        for begin in begins:
            box(axes, helped[lane], (begin, begin + FETCH), "fetch", COPY)
    below, above = helped["worker 1"] + BOX / 2, loop - BOX / 2
    arrow(axes, (1.2 + FETCH, below), (3, above))
