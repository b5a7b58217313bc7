"""Picture: the copy of a weight outlives an optimizer's step in one block, and not in two."""

from evidence.figures.marks import BEST, COSTLY, HOST, PLAIN
from evidence.figures.sketch import box, cases

BLOCKS = {
    "One block around the loop": ([(0.1, 11.9)], [(0.4, 11.9)], COSTLY),
    "A block in each step": ([(0.1, 2.7), (6.1, 8.7)], [(0.4, 2.7), (6.4, 8.7)], BEST),
}


def draw(axes):
    """Draw two steps of a loop, with one block around both and with a block in each."""
    names = dict.fromkeys(BLOCKS, ("block", "step", "copy"))
    for case, (blocks, copies, second) in zip(
        cases(axes, names, end=12), BLOCKS.values(), strict=True
    ):
        for span in blocks:
            box(axes, case["block"], span, "autocast", HOST, alpha=0.12)
        for begin, colour in ((0.4, BEST), (6.4, second)):
            box(axes, case["step"], (begin, begin + 2.2), "forward", colour)
            box(axes, case["step"], (begin + 2.4, begin + 5.3), "update", PLAIN)
        for span in copies:
            colour = second if span[0] > 6 else BEST
            colour = second if len(copies) == 1 else colour
            box(axes, case["copy"], span, "copy", colour, alpha=0.12)
