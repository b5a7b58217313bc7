"""Picture: calls with little and with much to compute, on the CPU alone and with a GPU."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases, moment

LANES = "CPU alone", "Python", "GPU"
#: How long an order takes, and what the CPU's work begins with; then all of the CPU's work on
#: one call, and the GPU's.
ORDER, FIXED = 1.7, 0.6
CASES = {"Narrow layers": (0.75, 0.35), "Wide layers": (2.95, 0.95)}
CALLS = 4


def draw(axes):
    """Draw for each case the CPU's work, the orders, and the GPU's work after each of them."""
    drawn = cases(axes, dict.fromkeys(CASES, LANES), end=12)
    for case, (alone, kernel) in zip(drawn, CASES.values(), strict=True):
        for place in range(CALLS):
            start, ordered = alone * place, ORDER * (place + 1)
            fixed = start + FIXED
            box(axes, case["CPU alone"], (start, fixed), "", HOST, alpha=0.12)
            box(axes, case["CPU alone"], (fixed, start + alone), "", HOST, alpha=0.5)
            box(
                axes,
                case["Python"],
                (ordered - ORDER, ordered),
                "order",
                WORK,
                alpha=0.15,
            )
            box(axes, case["GPU"], (ordered, ordered + kernel), "", WORK)
        done = ORDER * CALLS + kernel
        is_late = done > alone * CALLS
        moment(axes, done, case, "GPU is done", COSTLY if is_late else BEST)
