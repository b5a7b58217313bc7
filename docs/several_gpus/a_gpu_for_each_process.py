"""Picture: two processes, each on the GPU of its number, and the way by which one strays."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, is_narrow
from evidence.figures.sketch import BOX, arrow, box

STEP = 1.6
SPANS = ((0.2, 4.4), (5.6, 9.8))


def draw(axes):
    """Draw torchrun on top, the two processes, their GPUs, and a context in the wrong place."""
    narrow = is_narrow(axes)
    axes.set(xlim=(-0.1, 10.1), ylim=(-2 * STEP - 0.45, 0.45))
    axes.figure.set_figheight(4 if narrow else 3.6)
    box(axes, 0, (2.2, 7.8), "torchrun", MUTED, alpha=0.12)
    for number, span in enumerate(SPANS):
        middle = sum(span) / 2
        box(axes, -STEP, span, f"LOCAL_RANK={number}", HOST)
        box(axes, -2 * STEP, span, f"GPU {number}", BEST)
        arrow(axes, (middle, -BOX / 2), (middle, BOX / 2 - STEP))
        arrow(axes, (middle, -STEP - BOX / 2), (middle, BOX / 2 - 2 * STEP))
    begin, end = (5.8, -STEP - BOX / 2), (4.2, BOX / 2 - 2 * STEP)
    arrow(axes, begin, end, colour=COSTLY)
    axes.text(4.4, -1.5 * STEP, "too early", ha="right", va="center", color=COSTLY)
