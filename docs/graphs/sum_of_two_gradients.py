"""Picture: what a graph and a gradient hold in two backward passes, in one memory and in two."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK
from evidence.figures.sketch import box, cases

SPANS = (0.2, 3.0), (3.2, 6.0), (6.2, 11.8)


def draw(axes):
    """Draw the gradients step by step, where they begin as None and where as zeros."""
    names = {
        "gradients begin as None": ("graph and grad",),
        "gradients begin as zeros": ("graph", "grad"),
    }
    one, two = cases(axes, names, end=12)
    rows = {
        one["graph and grad"]: ("first", "second", "second + second"),
        two["graph"]: ("first", "second", "second"),
        two["grad"]: ("first", "first", "first + second"),
    }
    for height, texts in rows.items():
        for span, text in zip(SPANS, texts, strict=True):
            colours = {"second + second": COSTLY, "first + second": BEST}
            plain = HOST if height == two["grad"] else WORK
            box(axes, height, span, text, colours.get(text, plain))
