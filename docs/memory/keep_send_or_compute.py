"""Picture: what a layer saves is kept, sent to the host and back, or computed again."""

from evidence.figures.marks import BEST, COPY, COSTLY, HOST, STEP
from evidence.figures.sketch import box, cases, moment

APART = ("GPU", "memory")


def draw(axes):
    """Draw forward and backward of each way, and what its memory holds in between."""
    plain, sent, again = cases(
        axes, {"plain": APART, "offloaded": APART, "checkpoint": APART}, end=14
    )
    for case, end in ((plain, 8), (sent, 11.6), (again, 10.4)):
        box(axes, case["GPU"], (0, 3), "forward", HOST)
        back = end - 5
        if case is sent:
            box(axes, case["GPU"], (3, 4.8), "out", COPY)
            box(axes, case["GPU"], (4.8, 6.6), "in", COPY)
        if case is again:
            box(axes, case["GPU"], (3, 5.4), "again", COSTLY)
        box(axes, case["GPU"], (back, end), "backward", HOST)
        moment(axes, end, case, "")
    box(axes, plain["memory"], (0.6, 8), "all that layers save", STEP)
    box(axes, sent["memory"], (0.6, 3.9), "some", BEST)
    box(axes, sent["memory"], (5.6, 11.6), "some", BEST)
    box(axes, again["memory"], (0.6, 4.2), "inputs", BEST)
    box(axes, again["memory"], (4.2, 10.4), "inputs, and a part", STEP)
