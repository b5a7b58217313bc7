"""Picture: where a training step is in FP16, and where in FP32."""

from evidence.figures.marks import BEST, HOST, STEP
from evidence.figures.sketch import box, lanes

LANES = ("FP16", "FP32")
#: Of each part its lane, when it begins and ends, its text and colour.
PARTS = (
    ("FP16", (0, 3), "matmuls", BEST),
    ("FP32", (3.1, 5.1), "loss", HOST),
    ("FP32", (5.2, 7.2), "scale", STEP),
    ("FP16", (7.3, 10.3), "backward", BEST),
    ("FP32", (10.4, 12.9), "unscale", STEP),
    ("FP32", (13, 15), "step", HOST),
)


def draw(axes):
    """Draw the parts of a step from left to right, each in the lane of its type."""
    heights = lanes(axes, LANES, end=15)
    for lane, span, text, colour in PARTS:
        box(axes, heights[lane], span, text, colour)
