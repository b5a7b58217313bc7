"""Picture: the host works with a result while the GPU makes the next one."""

from evidence.figures.marks import BEST, COPY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw what the host calls and uses, the slot that it uses, and the stream."""
    between = "\n" if is_narrow(axes) else " "
    at = lanes(axes, ("host", "pinned slots", "stream"), end=12.4)
    host, slots, stream = at.values()
    for begin, end, text, colour, alpha in (
        (0, 1.4, "call 1", HOST, 0.35),
        (1.4, 2.8, "call 2", HOST, 0.35),
        (2.8, 4.6, "wait", HOST, 0.12),
        (4.6, 6.4, "use 1", BEST, 0.35),
        (6.4, 7.8, "call 3", HOST, 0.35),
        (7.8, 8.6, "", HOST, 0.12),
        (8.6, 10.4, "use 2", BEST, 0.35),
        (10.4, 11.8, "call 4", HOST, 0.35),
    ):
        shown = text.replace(" ", between)
        box(axes, host, (begin, end), shown, colour, alpha=alpha)
    for number in (1, 2, 3):
        made = 0.6 + 4 * (number - 1)
        box(axes, stream, (made, made + 2.6), f"make {number}", WORK)
        if number == 3:
            break
        arrived = made + 4
        box(axes, stream, (made + 2.6, arrived), "copy", COPY)
        kept = arrived, arrived + 3.8
        box(axes, slots, kept, f"result {number} in{between}slot {number}", COPY)
        arrow(axes, (arrived, stream + BOX / 2), (arrived, slots - BOX / 2), "event")
        arrow(axes, (arrived + 0.9, slots + BOX / 2), (arrived + 0.9, host - BOX / 2))
