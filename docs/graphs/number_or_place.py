"""Picture: a number that a capture writes down, and a tensor that each replay reads."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases, moment


def draw(axes):
    """Draw a learning rate that changes after the capture, as a number and as a tensor."""
    names = {"a number": ("host", "graph"), "a tensor": ("memory", "graph")}
    number, tensor = cases(axes, names, end=12)
    for case, lane, replayed, colour in (
        (number, "host", "steps by old", COSTLY),
        (tensor, "memory", "steps by new", BEST),
    ):
        box(axes, case[lane], (0.2, 4.4), "old rate", HOST)
        box(axes, case[lane], (4.8, 11.6), "new rate", HOST)
        box(axes, case["graph"], (7.2, 11.6), replayed, colour)
        moment(axes, 4.6, case, "change", WORK)
    top, bottom = number["host"], number["graph"]
    arrow(axes, (2.4, top - BOX / 2), (7.2, bottom + BOX / 2))
    top, bottom = tensor["memory"], tensor["graph"]
    arrow(axes, (9.4, top - BOX / 2), (9.4, bottom + BOX / 2))
