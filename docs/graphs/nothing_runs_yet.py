"""Picture: a capture, in which the GPU runs nothing, and a call that waits for it."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases

LANES = ("host", "graph", "GPU")


def draw(axes):
    """Draw what host, graph and GPU do in a capture, with a choice on the GPU and with a wait."""
    names = {"torch.where(mask, x, 0)": LANES, "mask.any().item()": LANES}
    chosen, awaited = cases(axes, names, end=12)
    for case, text in ((chosen, "where"), (awaited, "any")):
        box(axes, case["host"], (0.2, 3.0), text, HOST)
        box(axes, case["graph"], (0.6, 3.4), text, WORK)
    box(axes, chosen["host"], (3.2, 6.0), "next", HOST)
    box(axes, chosen["graph"], (3.6, 6.4), "next", WORK)
    box(axes, chosen["GPU"], (7.4, 11.8), "runs at a replay", BEST)
    box(axes, awaited["host"], (3.2, 11.8), "breaks the capture: it would wait", COSTLY)
