"""Picture: the types along a block, with a norm as it is and with one that fits."""

from evidence.figures.marks import BEST, COSTLY, MUTED, is_narrow
from evidence.figures.sketch import arrow, box, cases

LAYERS = ("Linear", "norm", "GELU", "Linear")
NAMES = {"LayerNorm as it is": ("type",), "LayerNorm in its input's type": ("type ",)}
TYPES = (("BF16", "FP32", "FP32", "BF16"), ("BF16", "BF16", "BF16", "BF16"))


def draw(axes):
    """Draw the result of each layer as a box with its type."""
    narrow = is_narrow(axes)
    for case, types in zip(cases(axes, NAMES, end=12), TYPES, strict=True):
        (height,) = case.values()
        for place, (layer, kind) in enumerate(zip(LAYERS, types, strict=True)):
            begin = 3 * place
            colour = COSTLY if kind == "FP32" else BEST
            text = kind if narrow else f"{layer}: {kind}"
            if narrow:
                axes.text(begin + 0.1, height - 0.36, layer, va="top", color=MUTED)
            box(axes, height, (begin + 0.1, begin + 2.5), text, colour)
            if place:
                arrow(axes, (begin - 0.5, height), (begin + 0.1, height))
