"""Picture: BatchNorm writes its statistics in forward, before the scaler sees a gradient."""

from evidence.figures.marks import COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes

MODEL, STATISTICS, WEIGHTS = "model", "running statistics", "weights"


def draw(axes):
    """Draw a training step with an overflow, and what it writes."""
    heights = lanes(axes, [MODEL, STATISTICS, WEIGHTS], end=12)
    narrow = is_narrow(axes)
    forward, step = ("", "") if narrow else ("forward: ", "step: ")
    box(axes, heights[MODEL], (0, 4), f"{forward}overflow", COSTLY)
    box(axes, heights[MODEL], (4.2, 7.8), "backward", WORK)
    box(axes, heights[MODEL], (8, 12), f"{step}skipped", HOST)
    box(axes, heights[STATISTICS], (2.4, 5.6), "not finite", COSTLY)
    box(axes, heights[WEIGHTS], (8, 12), "unchanged", WORK)
    top = heights[MODEL] - BOX / 2
    arrow(axes, (3.7, top), (3.7, heights[STATISTICS] + BOX / 2), colour=COSTLY)
    if not narrow:
        text = "checks the gradients alone"
        axes.text(7.8, heights[STATISTICS], text, color=HOST, va="center")
