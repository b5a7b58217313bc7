"""Picture: a call that copies to the GPU, from pageable memory and from pinned memory."""

from evidence.figures.marks import COPY, COSTLY, HOST
from evidence.figures.sketch import arrow, box, cases, moment

LANES = "host", "GPU"


def draw(axes):
    """Draw both cases: pieces that the host stages first, and one copy without the host."""
    pageable, pinned = cases(axes, {"pageable": LANES, "pinned": LANES}, end=11.5)
    for piece in range(3):
        staged = 3.2 * (piece + 1)
        text = f"piece {piece + 1}\nto staging"
        box(axes, pageable["host"], (staged - 3.2, staged), text, HOST)
        sent = staged + 0.4
        box(axes, pageable["GPU"], (sent, sent + 1), f"{piece + 1}", COPY)
        begin, end = pageable["host"] - 0.31, pageable["GPU"] + 0.31
        arrow(axes, (staged, begin), (sent + 0.3, end))
    moment(axes, 9.6, pageable, "call returns", COSTLY)
    box(axes, pinned["host"], (0, 1.4), "call", HOST)
    text = "call returned: the host is free"
    box(axes, pinned["host"], (1.5, 11.4), text, HOST, alpha=0.06)
    box(axes, pinned["GPU"], (1.7, 4.7), "all of it", COPY)
    arrow(axes, (1.4, pinned["host"] - 0.31), (2.0, pinned["GPU"] + 0.31))
