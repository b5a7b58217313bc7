"""Picture: the test of a call behind a held stream, for one that returns and one that waits."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases, moment


def draw(axes):
    """Draw the sleeping kernel, and a call that returns before or after its end."""
    names = ("host", "GPU")
    first, second = cases(axes, {"returns": names, "waits": names}, end=10)
    for case, span, end in ((first, (1, 3), 8.9), (second, (1, 8.9), 8.9)):
        box(axes, case["host"], span, "call", HOST)
        box(axes, case["GPU"], (0.4, 7.6), "sleep", WORK)
        box(axes, case["GPU"], (7.6, end), "work", WORK, alpha=0.12)
        moment(axes, 7.6, case, "event")
    moment(axes, 3, first, "early", BEST)
    moment(axes, 8.9, second, "late", COSTLY)
