"""Picture: a block that each call takes and gives back, or a workspace that each thread keeps."""

from evidence.figures.marks import BEST, COSTLY, MUTED, WORK
from evidence.figures.sketch import box, cases

CALLS = {"main": ((0, 3), "forward"), "autograd": ((5, 8), "backward")}


def draw(axes):
    """Draw what two threads call, and what its workspaces take in the meantime."""
    given, kept = cases(
        axes,
        {
            "given back after each call": (*CALLS, "block"),
            "kept for each thread": (*CALLS, "block", "another"),
        },
        end=12,
    )
    for case in (given, kept):
        for thread, (span, text) in CALLS.items():
            box(axes, case[thread], span, text, WORK)
    for span, _ in CALLS.values():
        box(axes, given["block"], span, "in use", BEST)
    for span in ((3, 5), (8, 12)):
        box(axes, given["block"], span, "free", MUTED, alpha=0.1)
    box(axes, kept["block"], (0, 12), "workspace of main", COSTLY)
    box(axes, kept["another"], (5, 12), "of autograd", COSTLY)
