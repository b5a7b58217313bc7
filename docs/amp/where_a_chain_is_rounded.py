"""Picture: where a chain of operators is rounded, in eager mode and in a fused kernel."""

from evidence.figures.marks import BEST, COSTLY
from evidence.figures.sketch import arrow, box, cases

CASES = {
    "Eager mode: three kernels": (
        ("x * y", "round", "+ x", "round", "- x", "round"),
        "GPU",
    ),
    "Compiled: one kernel": (("x * y", "+ x", "- x", "round"), "GPU "),
}
WIDTH = 2.0


def draw(axes):
    """Draw the operators as boxes, with a box of its own for each rounding."""
    names = {title: (lane,) for title, (_, lane) in CASES.items()}
    found = cases(axes, names, end=12.2)
    for case, (steps, _) in zip(found, CASES.values(), strict=True):
        (height,) = case.values()
        for place, step in enumerate(steps):
            begin = WIDTH * place
            colour = COSTLY if step == "round" else BEST
            box(axes, height, (begin + 0.1, begin + WIDTH - 0.2), step, colour)
            if place:
                arrow(axes, (begin - 0.2, height), (begin + 0.1, height))
