"""Picture: kernels of two streams side by side, on a full GPU, and with a slow host."""

from evidence.figures.marks import BEST, COSTLY, WORK
from evidence.figures.sketch import box, cases

LANES = ("stream A", "stream B")
CASES = ("room for both", "one fills the GPU", "slow host")


def draw(axes):
    """Draw two kernels at once, two in turn, and short ones between gaps."""
    both, full, slow = cases(axes, dict.fromkeys(CASES, LANES), end=10)
    for lane in LANES:
        box(axes, both[lane], (0.2, 4.6), "kernel", BEST)
    box(axes, full["stream A"], (0.2, 4.6), "kernel", WORK)
    box(axes, full["stream B"], (4.6, 9), "kernel", COSTLY)
    for turn in range(2):
        begin = 0.2 + 4.8 * turn
        box(axes, slow["stream A"], (begin, begin + 1.2), "", WORK)
        box(axes, slow["stream B"], (begin + 2.4, begin + 3.6), "", COSTLY)
