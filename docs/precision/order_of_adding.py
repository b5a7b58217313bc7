"""Picture: the same terms, added in two orders."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases

TERMS = 8


def draw(axes):
    """Draw eight terms as one chain, and as two halves that are added at the end."""
    names = {"with few rows": ("terms", "two parts", "sum")}
    names |= {"with many rows": ("terms ", "one part", "sum ")}
    split, whole = cases(axes, names, TERMS)
    for case, row in ((split, "terms"), (whole, "terms ")):
        for at in range(TERMS):
            box(axes, case[row], (at + 0.05, at + 0.95), "", HOST, alpha=0.2)
    for begin in (0, TERMS / 2):
        span = begin + 0.05, begin + TERMS / 2 - 0.05
        box(axes, split["two parts"], span, "in this order", WORK)
    box(axes, split["sum"], (0.05, TERMS - 0.05), "rounded once more", COSTLY)
    box(axes, whole["one part"], (0.05, TERMS - 0.05), "in this order", WORK)
    box(axes, whole["sum "], (0.05, TERMS - 0.05), "other bits", BEST)
