"""Picture: the GPU waits for a loop that loads, and goes on while workers load."""

from evidence.figures.marks import HOST, WORK
from evidence.figures.sketch import BOX, arrow, box, cases

LOAD, STEP = 4, 2.5
ALONE = "no workers, a loop that reads"
SHARED = "two workers"


def draw(axes):
    """Draw the loop that loads its batches itself, and the one with workers."""
    names = {ALONE: ("loop", "GPU"), SHARED: ("worker 1", "worker 2", "GPU")}
    alone, shared = cases(axes, names, end=13.2)
    for number in (1, 2):
        begin = (number - 1) * (LOAD + STEP)
        loaded = begin + LOAD
        box(axes, alone["loop"], (begin, loaded), f"load {number}", HOST)
        box(axes, alone["GPU"], (loaded, loaded + STEP), f"step {number}", WORK)
        ready = (loaded, alone["loop"] - BOX / 2)
        arrow(axes, ready, (loaded, alone["GPU"] + BOX / 2))
    for number in range(6):
        begin = number // 2 * LOAD
        lane = shared[f"worker {1 + number % 2}"]
        box(axes, lane, (begin, begin + LOAD), f"load {number + 1}", HOST)
    for number in range(3):
        begin = LOAD + number * STEP
        box(axes, shared["GPU"], (begin, begin + STEP), f"step {number + 1}", WORK)
