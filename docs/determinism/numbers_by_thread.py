"""Picture: the threads that draw the numbers of a result, on a small and a large GPU."""

from evidence.figures.marks import BEST, COSTLY
from evidence.figures.sketch import box, lanes

NUMBERS = 7
GPUS = {"3 threads": 3, "5 threads": 5}


def draw(axes):
    """Draw a box for each number, named by its thread; those that agree have one colour."""
    names = lanes(axes, tuple(GPUS), end=NUMBERS)
    for name, threads in GPUS.items():
        for place in range(NUMBERS):
            text = f"{'ABCDE'[place % threads]}{place // threads + 1}"
            colour = BEST if place < min(GPUS.values()) else COSTLY
            box(axes, names[name], (place + 0.04, place + 0.96), text, colour)
