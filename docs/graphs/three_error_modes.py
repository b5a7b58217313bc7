"""Picture: in which threads a forbidden call fails, by the mode of the capture."""

from evidence.figures.marks import BEST, COSTLY
from evidence.figures.sketch import box, cases

LANES = ("capturing", "other")
MODES = {
    "global": (False, False),
    "thread_local": (False, True),
    "relaxed": (True, True),
}


def draw(axes):
    """Draw the same call in both threads, in each mode."""
    found = cases(axes, dict.fromkeys(MODES, LANES), end=10)
    for case, works in zip(found, MODES.values(), strict=True):
        for lane, is_fine in zip(LANES, works, strict=True):
            text, colour = ("works", BEST) if is_fine else ("fails", COSTLY)
            box(axes, case[lane], (3, 6.5), text, colour)
