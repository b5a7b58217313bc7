"""Picture: two steps that each read their loss, and two with a single read at the end."""

from evidence.figures.marks import BEST, HOST, WORK
from evidence.figures.sketch import box, cases, moment

CALLS, KERNELS, GAP = 1.25, 5.33, 0.17


def draw(axes):
    """Draw the calls, the waits and the kernels of two steps, in the measured proportions."""
    each, once = "item() in each step", "item() at the end"
    reading, without = cases(axes, dict.fromkeys((each, once), ("CPU", "GPU")), end=12)
    for step in range(2):
        begin = step * (GAP + KERNELS)
        end = begin + GAP + KERNELS
        box(axes, reading["CPU"], (begin, begin + CALLS), "calls", HOST)
        box(axes, reading["CPU"], (begin + CALLS, end), "waits", HOST, alpha=0.12)
        box(axes, reading["GPU"], (begin + GAP, end), "kernels", WORK)

        called, begin = step * CALLS, GAP + step * KERNELS
        box(axes, without["CPU"], (called, called + CALLS), "calls", HOST)
        box(axes, without["GPU"], (begin, begin + KERNELS), "kernels", WORK)
    last = GAP + 2 * KERNELS
    box(axes, without["CPU"], (2 * CALLS, last), "waits", HOST, alpha=0.12)
    moment(axes, 2 * (GAP + KERNELS), reading, "end", BEST)
    moment(axes, last, without, "end", BEST)
