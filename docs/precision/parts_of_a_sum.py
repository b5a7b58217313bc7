"""Picture: a long sum in two parts, which are rounded or kept in FP32."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases

TERMS = 8


def draw(axes):
    """Draw the terms, two parts and their sum, with the flag on and off."""
    names = {"flag on": ("terms", "parts", "sum")}
    names |= {"flag off": ("terms ", "parts ", "sum ")}
    reduced, full = cases(axes, names, TERMS)
    for case, end in ((reduced, ""), (full, " ")):
        for at in range(TERMS):
            box(axes, case[f"terms{end}"], (at + 0.05, at + 0.95), "", HOST, alpha=0.2)
        for begin in (0, TERMS / 2):
            span = begin + 0.05, begin + TERMS / 2 - 0.05
            said, ink = ("in FP32", BEST) if end else ("rounded", COSTLY)
            box(axes, case[f"parts{end}"], span, said, ink)
        box(axes, case[f"sum{end}"], (0.05, TERMS - 0.05), "rounded", BEST)
