"""Picture: the CPU calls the kernels of a small step one by one, or all with one call."""

from evidence.figures.marks import HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = ("CPU", "GPU")


def draw(axes):
    """Draw two steps of a loop, whose GPU waits for each call, and three replays."""
    loop, replay = cases(axes, {"loop": LANES, "replay": LANES}, end=12)
    for number in range(5):
        begin = 0.1 + 2.3 * number
        box(axes, loop["CPU"], (begin, begin + 2.2), "call", HOST)
        box(axes, loop["GPU"], (begin + 2.2, begin + 2.6), "", WORK)
        _down(axes, loop, begin + 2.2)
        box(axes, replay["GPU"], (2.3 + 0.5 * number, 2.7 + 0.5 * number), "", WORK)
    box(axes, replay["CPU"], (0.1, 2.3), "replay()", HOST)
    _down(axes, replay, 2.3)


def _down(axes, case, at):
    arrow(axes, (at - 0.15, case["CPU"] - BOX / 2), (at, case["GPU"] + BOX / 2))
