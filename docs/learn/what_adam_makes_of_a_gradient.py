"""Picture: where the numbers that Adam makes of a gradient lie in three types, in powers of ten."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, lanes, mark

#: The powers of ten on the left and on the right, and the one below which FP16 is zero.
LEFT, RIGHT, ZERO = -13.5, 3, -7.5


def draw(axes):
    """Draw the types from small numbers to large ones, and four numbers in them."""
    at = lanes(axes, ("FP32", "BF16", "FP16"), end=RIGHT - LEFT)
    box(axes, at["FP32"], (0, RIGHT - LEFT), "finest", BEST)
    box(axes, at["BF16"], (0, RIGHT - LEFT), "coarse", WORK)
    box(axes, at["FP16"], (0, ZERO - LEFT), "zero", COSTLY)
    box(axes, at["FP16"], (ZERO - LEFT, RIGHT - LEFT), "fine", BEST)
    for power, text in ((-9, "v"), (-8, "eps"), (-4, "m"), (-3, "g")):
        mark(axes, power - LEFT, text)
