"""Picture: what a process has that was forked early, forked late, or spawned."""

from evidence.figures.marks import BEST, COSTLY, HOST, STEP, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "parent", "child"
END = 12


def draw(axes):
    """Draw three starts: what the parent has set up, and what becomes of the child."""
    gap = "\n" if is_narrow(axes) else " "
    titles = "fork, driver not set up", "fork, driver set up", "spawn"
    early, late, spawned = cases(axes, dict.fromkeys(titles, LANES), end=END)
    box(axes, early["parent"], (0, 4.6), "no CUDA", HOST)
    for case in (late, spawned):
        box(axes, case["parent"], (0, 4.6), "context", STEP)
    for case in (early, late, spawned):
        arrow(axes, (4.6, case["parent"]), (5.2, case["child"] + BOX / 2))
    for case, copy in ((early, "copy of\nmemory"), (late, "copy of\nhandles")):
        box(axes, case["child"], (4.6, 7.2), copy, HOST)
    box(axes, spawned["child"], (4.6, 7.2), f"imports{gap}file", HOST)
    for case in (early, spawned):
        box(axes, case["child"], (7.2, 9.7), f"own{gap}context", STEP)
        box(axes, case["child"], (9.7, END), "works", BEST)
    box(axes, late["child"], (9.7, END), "error", COSTLY)
