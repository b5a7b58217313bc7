"""Picture: forward runs in the block and backward behind it; compiled, it is made before."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases, moment


def draw(axes):
    """Draw where the block ends in three loops, and in which types backward runs."""
    eager, inside, compiled = cases(
        axes,
        {
            "backward behind the block": ("loop",),
            "backward inside the block": ("loop ",),
            "compiled, as it is by default": ("loop  ",),
        },
        end=12,
    )
    for case, colour, text, end in (
        (eager, BEST, "backward:\ntypes of forward", 5.6),
        (inside, COSTLY, "backward:\ncast again", 11.6),
        (compiled, COSTLY, "backward:\ncast again", 5.6),
    ):
        (lane,) = case.values()
        box(axes, lane, (0.4, 5.2), "forward", HOST, alpha=0.12)
        box(axes, lane, (2.2, 5), "enabled=False:\nFP32", WORK)
        box(axes, lane, (6.2, 11.2), text, colour)
        moment(axes, end, case, "end of the block")
