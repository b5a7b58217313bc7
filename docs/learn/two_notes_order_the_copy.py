"""Picture: with two waits, the copy runs between two steps, and the CPU waits for neither."""

from evidence.figures.marks import COPY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw two steps, the copy that waits for them, and a step that waits for the copy."""
    at = lanes(axes, ("CPU", "current stream", "side"), end=12)
    calls = (0, 0.9, "1"), (0.95, 1.85, "2"), (1.9, 3.3, "copy"), (3.35, 4.25, "3")
    for begin, end, text in calls:
        box(axes, at["CPU"], (begin, end), text, HOST)
    for begin, end, text in (0.3, 4.1, "step 1"), (4.1, 7.9, "step 2"), (9.9, 12, "3"):
        box(axes, at["current stream"], (begin, end), text, WORK)
    box(axes, at["side"], (8.2, 9.6), "copy", COPY)
    low, high = at["side"], at["current stream"]
    arrow(axes, (7.9, high - BOX / 2), (8.25, low + BOX / 2))
    arrow(axes, (9.55, low + BOX / 2), (9.9, high - BOX / 2))
