"""Picture: what the host and the GPU do for five kernels, called one by one and in a replay."""

from evidence.figures.marks import HOST, WORK
from evidence.figures.sketch import arrow, box, cases

LANES = ("host", "GPU")


def draw(axes):
    """Draw the calls and the kernels, without a graph and with one."""
    loop, replay = cases(axes, {"without a graph": LANES, "replay": LANES}, end=12)
    for number in range(5):
        begin = 0.2 + 2.3 * number
        box(axes, loop["host"], (begin, begin + 2.1), "call", HOST)
        box(axes, loop["GPU"], (begin + 1.4, begin + 2.2), "", WORK)
        arrow(
            axes, (begin + 1.2, loop["host"] - 0.31), (begin + 1.4, loop["GPU"] + 0.31)
        )
        first = 2.9 + 0.9 * number
        box(axes, replay["GPU"], (first, first + 0.8), "", WORK)
    box(axes, replay["host"], (0.2, 3.3), "replay()", HOST)
    arrow(axes, (2.6, replay["host"] - 0.31), (2.9, replay["GPU"] + 0.31))
