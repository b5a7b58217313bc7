"""Picture: what two GPUs share of a step, what each does in full, and what comes on top."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import box, cases, moment

LANES = "one GPU", "first of two", "second of two"
#: How long the orders take, the boards of a whole batch, and the meeting.
STEPS = {"Wide layers": (1.3, 10.2, 1.7), "Narrow layers": (5.6, 0.5, 1.9)}


def draw(axes):
    """Draw the step of one GPU and of each of two, and where the two are done."""
    drawn = cases(axes, dict.fromkeys(STEPS, LANES), end=12)
    for case, (orders, boards, meeting) in zip(drawn, STEPS.values(), strict=True):
        is_long = boards > orders
        text = "orders" if not is_long or not is_narrow(axes) else ""
        half = orders + boards / 2
        for name in LANES:
            box(axes, case[name], (0, orders), text, HOST, alpha=0.2)
        end = orders + boards
        box(axes, case["one GPU"], (orders, end), "all boards" if is_long else "", WORK)
        for name in LANES[1:]:
            box(
                axes,
                case[name],
                (orders, half),
                "half of them" if is_long else "",
                WORK,
            )
            box(axes, case[name], (half, half + meeting), "mean", COSTLY)
        colour = BEST if half + meeting < end else COSTLY
        moment(axes, half + meeting, case, "two are done", colour)
