"""Picture: small tensors that are copied one by one, and as one packed buffer."""

from evidence.figures.marks import COPY, HOST
from evidence.figures.sketch import arrow, box, cases

LANES = "host", "GPU"


def draw(axes):
    """Draw a call with its copy for each tensor, and the few calls that replace them."""
    single, packed = cases(axes, {"one by one": LANES, "packed": LANES}, end=12)
    for number in range(6):
        begin = 2 * number
        box(axes, single["host"], (begin, begin + 1.9), f"call {number + 1}", HOST)
        box(axes, single["GPU"], (begin + 0.9, begin + 1.7), f"{number + 1}", COPY)
    box(axes, packed["host"], (0, 1.6), "pack", HOST)
    box(axes, packed["host"], (1.7, 3.2), "call", HOST)
    box(axes, packed["host"], (3.3, 4.9), "split", HOST)
    box(axes, packed["GPU"], (3.2, 5.0), "1 to 6", COPY)
    arrow(axes, (2.9, packed["host"] - 0.31), (3.4, packed["GPU"] + 0.31))
