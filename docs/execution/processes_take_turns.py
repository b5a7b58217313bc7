"""Picture: a process beside an idle one, and beside a busy one."""

from evidence.figures.marks import COPY, WORK
from evidence.figures.sketch import box, cases

LANES = "this process", "other process"
SLICE = 1.15


def draw(axes):
    """Draw two matmuls of one process, alone and in turns with another's."""
    titles = "The other process is idle", "The other process computes"
    alone, beside = cases(axes, dict.fromkeys(titles, LANES), end=4 * 2 * SLICE + 0.4)
    for number in range(2):
        begin = 2 * SLICE * number
        span = begin, begin + 2 * SLICE
        box(axes, alone["this process"], span, f"matmul {number + 1}", WORK)
    for turn in range(4):
        begin = 2 * SLICE * turn
        box(
            axes,
            beside["this process"],
            (begin, begin + SLICE),
            f"{turn // 2 + 1}",
            WORK,
        )
        box(axes, beside["other process"], (begin + SLICE, begin + 2 * SLICE), "", COPY)
