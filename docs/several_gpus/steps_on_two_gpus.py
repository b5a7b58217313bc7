"""Picture: a long and a short step, on one GPU and on each of two with DDP."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import box, cases, moment

LANES = "one GPU", "with DDP"
#: When the fixed part ends, and how long a whole batch and the sum of the gradients take.
STEPS = {"A long step": (1, 8, 1.4), "A short step": (2.6, 0.8, 1.4)}


def draw(axes):
    """Draw the parts of each step, and where the one with DDP ends."""
    drawn = cases(axes, dict.fromkeys(STEPS, LANES), end=10)
    for case, (fixed, batch, total) in zip(drawn, STEPS.values(), strict=True):
        is_long = batch > fixed
        one, two = case.values()
        half = fixed + batch / 2
        for height in (one, two):
            text = "fixed" if not (is_long and is_narrow(axes)) else ""
            box(axes, height, (0, fixed), text, HOST, alpha=0.2)
        box(axes, one, (fixed, fixed + batch), "the batch" if is_long else "", WORK)
        box(axes, two, (fixed, half), "half" if is_long else "", WORK)
        box(axes, two, (half, half + total), "sum", COSTLY)
        moment(axes, half + total, case, "DDP is done", BEST if is_long else COSTLY)
