"""Picture: a block around a compiled call comes after the choice of a kernel, one within before."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases

LANES = ("block", "function")


def draw(axes):
    """Draw a block that begins after the function has compiled, and one that is there before."""
    names = {"around the call": LANES, "within the function": LANES}
    around, within = cases(axes, names, end=12)
    box(axes, around["function"], (0.2, 5.6), "compiles: cuDNN", WORK)
    box(axes, around["block"], (6.2, 11.8), "another alone", HOST)
    box(axes, around["function"], (6.8, 11.2), "runs cuDNN", COSTLY)
    box(axes, within["block"], (0.2, 5.6), "Flash alone", HOST)
    box(axes, within["function"], (0.2, 5.6), "compiles: Flash", WORK)
    box(axes, within["function"], (6.8, 11.2), "runs Flash", BEST)
