"""Picture: what an optimizer's step launches in each form, and what it holds meanwhile."""

from evidence.figures.marks import BEST, COSTLY, STEP
from evidence.figures.sketch import box, cases


def draw(axes):
    """Draw the kernels of the three forms, and their temporary memory."""
    apart = ("kernels", "holds")
    titles = ("a loop", "foreach", "fused")
    loop, foreach, fused = cases(axes, dict.fromkeys(titles, apart), end=12)
    for turn in range(4):
        for part in range(3):
            begin = 0.2 + 3 * turn + 0.9 * part
            box(axes, loop["kernels"], (begin, begin + 0.7), "", STEP)
        box(axes, loop["holds"], (0.2 + 3 * turn, 2.7 + 3 * turn), "one", STEP)
    for begin, text in ((0.2, "roots"), (3.2, "divide"), (6.2, "update")):
        box(axes, foreach["kernels"], (begin, begin + 2.7), text, COSTLY)
    box(axes, foreach["holds"], (0.2, 8.9), "roots of all", COSTLY)
    box(axes, fused["kernels"], (0.2, 3.4), "everything", BEST)
