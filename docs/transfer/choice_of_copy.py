"""Picture: questions that lead to a form of copy, from the top to the first yes."""

from evidence.figures.marks import BEST, PLAIN
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("From the GPU,\nmany times?", "into a pinned tensor\nthat you keep", BEST),
    ("Many small\ntensors?", "pack into a pinned\nbuffer that you keep", BEST),
    ("Only once,\nor a few KiB?", "copy it directly", PLAIN),
    ("One buffer,\nmany times?", "pin it once,\nand keep it", BEST),
    ("New each time,\nthreads to spare?", "pin_memory(),\nthen copy", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "copy it directly", phone=4)
