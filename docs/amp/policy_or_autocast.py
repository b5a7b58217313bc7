"""Picture: which types a layer runs in, with a policy of FSDP2 and under autocast."""

from evidence.figures.marks import BEST, HOST
from evidence.figures.sketch import box, lanes

#: What a step touches, in order, and its type with a policy and under autocast.
PARTS = {
    "shard": ("FP32", "FP32"),
    "gathered": ("BF16", "FP32"),
    "linear": ("BF16", "BF16"),
    "softmax": ("BF16", "FP32"),
    "gradient": ("FP32", "FP32"),
}
WIDE = 2.4


def draw(axes):
    """Draw a lane for each of the two, with a box for each part."""
    heights = lanes(axes, ["policy", "autocast"], end=WIDE * len(PARTS))
    for place, (part, types) in enumerate(PARTS.items()):
        for y, name in zip(heights.values(), types, strict=True):
            span = (WIDE * place + 0.05, WIDE * (place + 1) - 0.05)
            box(axes, y, span, f"{part}\n{name}", BEST if name == "BF16" else HOST)
