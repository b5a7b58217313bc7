"""Picture: questions that lead to the device of a new tensor, from the top to the first yes."""

from evidence.figures.marks import BEST, PLAIN
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("A device with\nan index?", "that GPU", BEST),
    ('A bare "cuda"?', "the current GPU", PLAIN),
    ("Made from a tensor?", "where that\ntensor is", BEST),
    ("Is a default\ndevice set?", "that device", PLAIN),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "on the CPU", phone=4.4)
