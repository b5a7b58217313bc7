"""Picture: FSDP puts one layer together at a time, and takes it apart again."""

from evidence.figures.marks import COPY, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes

LANES = ("gathered", "computes", "summed")
#: When a layer is gathered, and its number: forward, then backward.
FORWARD, BACKWARD = ((0, 1), (2.3, 2)), ((5, 2), (7.3, 1))


def draw(axes):
    """Draw two layers forward and backward: gathered, computed, and gradients summed."""
    gathered, computes, summed = lanes(axes, LANES, 14).values()
    for begin, layer in (*FORWARD, *BACKWARD):
        box(axes, gathered, (begin, begin + 2), f"layer {layer}", COPY)
        box(axes, computes, (begin + 2.1, begin + 4), f"{layer}", WORK)
        arrow(axes, (begin + 2, gathered - BOX / 2), (begin + 2.1, computes + BOX / 2))
    for begin, layer in BACKWARD:
        box(axes, summed, (begin + 4.1, begin + 6), f"{layer}", COPY)
        middle = begin + 4
        arrow(axes, (middle, computes - BOX / 2), (middle + 0.1, summed + BOX / 2))
