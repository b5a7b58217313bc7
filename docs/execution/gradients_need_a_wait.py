"""Picture: gradients that the current stream uses without and with a wait."""

from evidence.figures.marks import BEST, COSTLY, MUTED, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "current stream", "side stream"


def draw(axes):
    """Draw both programs, and the wait that one of them lacks."""
    gap = "\n" if is_narrow(axes) else " "
    titles = "Wrong: used at once", "Right: used after wait_stream()"
    wrong, right = cases(axes, dict.fromkeys(titles, LANES), end=10)
    for case in (wrong, right):
        box(axes, case["side stream"], (0.6, 3), "forward", WORK)
        box(axes, case["side stream"], (3, 6.4), "backward", WORK)
    box(axes, wrong["current stream"], (1.2, 3.6), f"stale{gap}gradients", COSTLY)
    box(axes, right["current stream"], (7.2, 9.6), f"right{gap}gradients", BEST)
    box(axes, right["current stream"], (1.2, 7.2), "waits", MUTED, alpha=0.12)
    start = 6.4, right["side stream"] + BOX / 2
    arrow(axes, start, (7.2, right["current stream"] - BOX / 2))
