"""Picture: what skips a step after an overflow, for a default and for a fused optimizer."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import arrow, box, cases


def draw(axes):
    """Draw the host that waits for the check, and the kernel that looks at it."""
    lanes = ("host", "GPU")
    first, second = cases(axes, {"default": lanes, "fused": lanes}, end=10)
    box(axes, first["GPU"], (1, 4.5), "check", WORK)
    box(axes, first["host"], (0.3, 5.4), "scaler waits", COSTLY)
    box(axes, first["host"], (5.6, 9.2), "no call", HOST, alpha=0.12)
    arrow(axes, (4.5, first["GPU"] + 0.31), (5.3, first["host"] - 0.31))
    box(axes, second["GPU"], (1, 4.5), "check", WORK)
    box(axes, second["host"], (0.3, 3.4), "call", HOST)
    box(axes, second["GPU"], (4.7, 7.4), "skips", BEST)
