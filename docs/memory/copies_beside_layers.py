"""Picture: what the layers save leaves behind each of them, and is back ahead of its use."""

from evidence.figures.marks import COPY, MUTED, WORK, is_narrow
from evidence.figures.sketch import arrow, box, lanes

#: When the computation of a layer begins and ends, and a copy of what it saved.
FORWARD = {1: (0, 2), 2: (2, 4), 3: (4, 6)}
OUT = {1: (2, 3.4), 2: (4, 5.4), 3: (6, 7.4)}
BACK = {3: (7.4, 8.8), 2: (8.8, 10.2), 1: (11.6, 13)}
BACKWARD = {3: (8.8, 11.6), 2: (11.6, 14.4), 1: (14.4, 17.2)}


def draw(axes):
    """Draw the two streams, and what waits for what."""
    narrow = is_narrow(axes)
    at = lanes(axes, ("computes", "copies"), end=17.2)
    gap = "\n" if narrow else " "
    for lane, spans, word, colour in (
        ("computes", FORWARD, "layer", WORK),
        ("computes", BACKWARD, "layer", WORK),
        ("copies", OUT, "out", COPY),
        ("copies", BACK, "in", COPY),
    ):
        for number, span in spans.items():
            box(axes, at[lane], span, f"{word}{gap}{number}", colour)
    low, high = at["computes"] - 0.31, at["copies"] + 0.31
    for number in OUT:
        arrow(axes, (FORWARD[number][1], low), (OUT[number][0] + 0.5, high))
        arrow(axes, (BACK[number][1], high), (BACKWARD[number][0], low))
    top = 0.95 if narrow else 0.5
    for x, text in ((3, "forward"), (13, "backward")):
        axes.text(x, top, text, color=MUTED, ha="center", va="bottom")
    axes.set_ylim(top=top + 0.5)
