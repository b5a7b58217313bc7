"""Picture: what two GPUs share of a step, what each does in full, and what comes on top."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases, moment

LANES = "one GPU", "first of two", "second of two"
#: How long the orders take, the boards of a whole batch, what DDP adds, and the mean.
STEPS = {"Wide layers": (2.1, 9.2, 0, 2.0), "Narrow layers": (4.8, 0.5, 3.3, 0.4)}


def draw(axes):
    """Draw the step of one GPU and of each of two, and where the two are done."""
    drawn = cases(axes, dict.fromkeys(STEPS, LANES), end=12)
    for case, (orders, boards, added, mean) in zip(drawn, STEPS.values(), strict=True):
        is_long = boards > orders
        end, half = orders + boards, orders + boards / 2
        done = half + added + mean
        for name in LANES:
            box(axes, case[name], (0, orders), "orders", HOST, alpha=0.2)
        box(axes, case["one GPU"], (orders, end), "all boards" if is_long else "", WORK)
        for name in LANES[1:]:
            text = "half of them" if is_long else ""
            box(axes, case[name], (orders, half), text, WORK)
            if added:
                added_span = half, half + added
                box(axes, case[name], added_span, "rest of DDP", COSTLY, alpha=0.1)
            text = "mean" if is_long else ""
            box(axes, case[name], (half + added, done), text, COSTLY)
        moment(axes, done, case, "two are done", BEST if done < end else COSTLY)
