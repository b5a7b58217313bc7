"""Picture: two ways from large numbers to their norm, one of which leaves the range."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases

WAYS = {
    "in FP32": {"numbers": "large", "squares": "infinite", "norm": "infinite"},
    "divided first": {
        "numbers ": "divided by the largest",
        "squares ": "in range",
        "norm ": "multiplied by the largest",
    },
}


def draw(axes):
    """Draw the three steps of each way, and whether they are in range."""
    for way, steps in zip(cases(axes, WAYS, 1), WAYS.values(), strict=True):
        for name, text in steps.items():
            ink = COSTLY if text == "infinite" else BEST if name[-1] == " " else HOST
            box(axes, way[name], (0.01, 0.99), text, ink)
