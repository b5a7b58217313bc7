"""Picture: buckets of gradients leave while the backward pass goes on."""

from evidence.figures.marks import COPY, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw the backward pass and the buckets, and which gradient each bucket waits for."""
    backward, sent = lanes(axes, ("backward pass", "buckets"), 14).values()
    for place, layer in enumerate((4, 3, 2, 1)):
        box(axes, backward, (2.6 * place, 2.6 * place + 2.4), f"layer {layer}", WORK)
    for begin, end, text in ((2.6, 4.6, "4"), (7.8, 10, "3 and 2"), (10.6, 12.6, "1")):
        box(axes, sent, (begin, end), text, COPY)
        arrow(axes, (begin - 0.2, backward - BOX / 2), (begin, sent + BOX / 2))
