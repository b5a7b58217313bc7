"""Picture: a name that is bound to another tensor, and data that is copied."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = ("names", "memory", "graph")


def draw(axes):
    """Draw which memory the name and the graph mean, after an assignment and after a copy."""
    names = {"static_input = batch": LANES, "static_input.copy_(batch)": LANES}
    bound, copied = cases(axes, names, end=12)
    for case, old, colour in ((bound, "old data", COSTLY), (copied, "new data", BEST)):
        box(axes, case["names"], (0.2, 4.6), "static_input", HOST)
        box(axes, case["names"], (7.2, 11.6), "batch", HOST)
        box(axes, case["memory"], (0.2, 4.6), old, colour)
        box(axes, case["memory"], (7.2, 11.6), "new data", WORK)
        box(axes, case["graph"], (0.2, 4.6), "replay()", HOST)
        arrow(axes, (2.4, case["memory"] - BOX / 2), (2.4, case["graph"] + BOX / 2))
        arrow(axes, (9.4, case["names"] - BOX / 2), (9.4, case["memory"] + BOX / 2))
    top, bottom = bound["names"], bound["memory"]
    arrow(axes, (4.6, top - BOX / 2), (7.2, bottom + BOX / 2))
    top, bottom = copied["names"], copied["memory"]
    arrow(axes, (2.4, top - BOX / 2), (2.4, bottom + BOX / 2))
    arrow(axes, (7.2, bottom), (4.6, bottom))
