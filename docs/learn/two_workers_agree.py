"""Picture: what two GPUs share of a step, what each does in full, and what comes on top."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases, moment

LANES = "each Python", "one GPU", "each of two"
#: How long an order takes; then, of each case, the boards of an order, the rest of DDP, and
#: the mean.
ORDER, CALLS = 1.25, 4
CASES = {"Wide layers": (2.6, 0, 2.2), "Narrow layers": (0.5, 3.3, 0.4)}


def draw(axes):
    """Draw the orders, the boards that one GPU and each of two cut, and what DDP adds."""
    drawn = cases(axes, dict.fromkeys(CASES, LANES), end=12)
    for case, (boards, added, mean) in zip(drawn, CASES.values(), strict=True):
        is_long = boards > ORDER
        for place in range(CALLS):
            span = ORDER * place, ORDER * (place + 1)
            box(axes, case["each Python"], span, "order", WORK, alpha=0.15)
        end = cut(axes, case["one GPU"], boards, "boards" if is_long else "")
        half = cut(axes, case["each of two"], boards / 2, "half" if is_long else "")
        done = half + added + mean
        if added:
            span = half, half + added
            box(axes, case["each of two"], span, "rest of DDP", COSTLY, alpha=0.1)
        text = "mean" if is_long else ""
        box(axes, case["each of two"], (half + added, done), text, COSTLY)
        moment(axes, done, case, "two are done", BEST if done < end else COSTLY)


def cut(axes, lane, length, text):
    """Draw a GPU's work on each order, which begins once it is written; gives its end."""
    end = 0.0
    for place in range(CALLS):
        begin = max(end, ORDER * (place + 1))
        end = begin + length
        box(axes, lane, (begin, end), text, WORK)
    return end
