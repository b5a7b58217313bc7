"""Picture: where the wait for a missing rank happens, in a later collective and in the first."""

from evidence.figures.marks import COPY, COSTLY, HOST
from evidence.figures.sketch import box, cases, moment

LATER, FIRST = "A later collective", "The first collective"
NAMES = ("host", "GPU", "watchdog")


def draw(axes):
    """Draw who waits, and who ends it: the watchdog or nobody."""
    later, first = cases(axes, {LATER: NAMES, FIRST: NAMES}, 14)
    box(axes, later["host"], (0.4, 2.4), "call", HOST)
    box(axes, later["host"], (2.5, 5.7), "goes on", HOST)
    box(axes, later["GPU"], (2.5, 10), "waits for the rank", COPY)
    box(axes, later["watchdog"], (10, 13.6), "ends it", COSTLY)
    moment(axes, 10, later, "timeout")
    box(axes, first["host"], (0.4, 13.6), "the call waits for the rank", COSTLY)
    moment(axes, 10, first, "timeout")
