"""Picture: what each replay does, with the optimizer's state made in the capture or before."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import box, cases, moment

LANES = ("before", "replays")


def draw(axes):
    """Draw the warm-up, and two replays, without a warm-up and with one."""
    state = "state" if is_narrow(axes) else "make state"
    names = {"no warm-up": LANES, "warm-up": LANES}
    cold, warm = cases(axes, names, end=12)
    for begin in (4.6, 8.4):
        box(axes, cold["replays"], (begin, begin + 1.9), state, COSTLY)
        box(axes, cold["replays"], (begin + 1.9, begin + 3.1), "step", WORK)
        box(axes, warm["replays"], (begin + 1.9, begin + 3.1), "step", WORK)
    box(axes, warm["before"], (0.2, 2.1), state, BEST)
    box(axes, warm["before"], (2.1, 3.3), "step", WORK)
    for case in (cold, warm):
        moment(axes, 4, case, "capture", HOST)
