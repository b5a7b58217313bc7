"""Picture: which weights two calls read and write, by the way to run a model in 16 bits."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, lanes, mark

#: Boxes of a call: when they begin and end, their text and colour.
FULL = [((0, 4), "FP32", HOST)]
COPY = [*FULL, ((4.1, 6.1), "write", COSTLY), ((6.2, 8.2), "BF16", BEST)]
LOW = [((0, 2), "BF16", BEST)]
#: Two calls of each way.
WAYS = {
    "FP32": (FULL, FULL),
    "a block for each call": (COPY, COPY),
    "one block": (COPY, LOW),
    "converted": (LOW, LOW),
}
SECOND = 8.9


def draw(axes):
    """Draw the weights that two calls read and write, one way below the other."""
    heights = lanes(axes, [*WAYS], end=17.2)
    for way, calls in WAYS.items():
        for shift, boxes in zip((0, SECOND), calls, strict=True):
            for (begin, end), text, colour in boxes:
                box(axes, heights[way], (begin + shift, end + shift), text, colour)
    mark(axes, SECOND - 0.35, "second call")
