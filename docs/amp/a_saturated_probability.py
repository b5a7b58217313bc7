"""Picture: the gradient of a binary cross entropy, from an FP16 probability and from a logit."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases


def draw(axes):
    """Draw forward from left to right, and backward from right to left, in both cases."""
    narrow = is_narrow(axes)
    gap = "\n" if narrow else " "
    names = "forward", "backward"
    titles = "Wrong: through an FP16 probability", "Right: from the logit"
    wrong, right = cases(axes, dict.fromkeys(titles, names), end=10)
    steps = {
        "forward": (
            ("large logit", WORK),
            (f"rounds{gap}to one", COSTLY),
            ("loss", WORK),
        ),
        "backward": (
            ("NaN", COSTLY),
            (f"infinity{gap}× zero", COSTLY),
            ("huge", COSTLY),
        ),
    }
    for lane, boxes in steps.items():
        for place, (text, colour) in enumerate(boxes):
            begin = 0.3 + 3.4 * place
            box(axes, wrong[lane], (begin, begin + 2.6), text, colour)
    for begin, text, back in ((0.3, "large logit", "right"), (7.1, "loss", "one")):
        box(axes, right["forward"], (begin, begin + 2.6), text, WORK)
        box(axes, right["backward"], (begin, begin + 2.6), back, BEST)
    for case, ends in ((wrong, (2.9, 6.3)), (right, (2.9,))):
        length = 0.8 if case is wrong else 4.2
        for begin in ends:
            arrow(axes, (begin, case["forward"]), (begin + length, case["forward"]))
            arrow(axes, (begin + length, case["backward"]), (begin, case["backward"]))
    for case in (wrong, right):
        down = case["forward"] - BOX / 2, case["backward"] + BOX / 2
        arrow(axes, (8.4, down[0]), (8.4, down[1]), colour=HOST)
