"""Picture: the four things that autocast does to the inputs of an operator, or none of them."""

from evidence.figures.marks import BEST, COSTLY, INK, MUTED, WORK, is_narrow
from evidence.figures.sketch import arrow, box

#: An operator of each kind, and what it gives for two FP32 inputs, two FP16 inputs, one of each.
KINDS = {
    "matmul": ("FP16", "FP16", "FP16"),
    "mse_loss": ("FP32", "FP32", "FP32"),
    "dot": ("FP32", "FP16", "FP32"),
    "add": ("FP32", "FP16", "FP32"),
    "BCE": ("error", "error", "error"),
}
COLOURS = {"FP16": WORK, "FP32": BEST, "error": COSTLY}
NAMES = ("cast to FP16", "cast to FP32", "cast to the widest", "left alone", "banned")
INPUTS = ("FP32", "FP16", "both")


def draw(axes):
    """Draw a row for each kind, with its result for each of the inputs."""
    narrow = is_narrow(axes)
    left, height = (0, 1.55) if narrow else (3.1, 0.95)
    wide = (10 - left) / 4
    last = height * (len(KINDS) - 1)
    axes.set(xlim=(-0.1, 10.1), ylim=(-last - 0.6, 1.35 + 0.5 * narrow))
    axes.figure.set_figheight(5.4 if narrow else 3.9)
    for place, inputs in enumerate(INPUTS):
        x = left + wide * (1.6 + place * 0.95)
        axes.text(x, 0.95 + 0.45 * narrow, inputs, ha="center", color=INK)
    x = left + wide * 0.5
    axes.text(x, 0.95 + 0.45 * narrow, "inputs:", ha="center", color=MUTED)
    for row, (name, (operator, results)) in enumerate(
        zip(NAMES, KINDS.items(), strict=True)
    ):
        y = -height * row
        where = (0, y + 0.42) if narrow else (left - 0.3, y)
        side = {"ha": "left", "va": "bottom"} if narrow else {"ha": "right"}
        axes.text(*where, name, **({"va": "center"} | side), color=INK)
        box(axes, y, (left, left + wide), operator, MUTED, alpha=0.1)
        arrow(axes, (left + wide, y), (left + 1.15 * wide, y))
        for place, result in enumerate(results):
            begin = left + wide * (1.15 + place * 0.95)
            alpha = 0.1 if operator == "add" else 0.35
            span = (begin, begin + 0.9 * wide)
            box(axes, y, span, result, COLOURS[result], alpha=alpha)
