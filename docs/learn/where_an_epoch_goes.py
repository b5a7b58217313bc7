"""Picture: what an epoch of the small loop consists of, with and without workers."""

from evidence.figures.marks import COPY, COSTLY, WORK
from evidence.figures.sketch import box, lanes

#: Lengths as measured; an epoch without workers is 5.9 long, and all parts but the last steps
#: follow by subtraction.
BARS = {
    "no workers": (("fetch,\nroad", 2.2, COPY), ("steps", 3.7, WORK)),
    "new workers": (
        ("start", 4.6, COSTLY),
        ("hand over,\nroad", 3.5, COSTLY),
        ("steps", 3.7, WORK),
    ),
    "workers that stay": (("hand over,\nroad", 3.5, COSTLY), ("steps", 3.7, WORK)),
    "data on the GPU": (("steps", 3.7, WORK),),
}


def draw(axes):
    """Draw an epoch of each way as a bar of its parts."""
    heights = lanes(axes, tuple(BARS), end=12)
    for name, parts in BARS.items():
        begin = 0.0
        for text, length, colour in parts:
            box(axes, heights[name], (begin, begin + length), text, colour)
            begin += length
