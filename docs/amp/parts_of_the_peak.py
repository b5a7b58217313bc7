"""Picture: what the peak of a training step is made of, with a small and a large batch."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases

CASES = {"Small batch": ("FP32", "BF16"), "Large batch": ("FP32 ", "BF16 ")}
STAYS, COPIES = 4.2, 2.1
#: What layers save for backward in FP32, case by case; in BF16, half of it.
SAVED = (1.6, 7.6)


def draw(axes):
    """Draw the bytes of each step as boxes in a row, in FP32 and in BF16."""
    for case, saved in zip(cases(axes, CASES, end=12), SAVED, strict=True):
        full, low = case.values()
        for lane in (full, low):
            box(axes, lane, (0, STAYS), "stays in FP32", HOST)
        box(axes, full, (STAYS, STAYS + saved), "saved", BEST)
        box(axes, low, (STAYS, STAYS + COPIES), "copies", COSTLY)
        begin = STAYS + COPIES
        text = "saved" if saved > COPIES else ""
        box(axes, low, (begin, begin + saved / 2), text, BEST)
