"""Picture: three questions that tell whether a value of this site holds on another GPU."""

from evidence.figures.marks import BEST, PLAIN
from evidence.figures.sketch import questions

#: Questions, and what a yes says about the reader's GPU.
STEPS = (
    ("Does the mark\nname your GPU?", "expect the\nsame bound", BEST),
    ("Does it name\nanother GPU?", "ask your own", PLAIN),
    ("Is it a time\nor a rate?", "the rule holds, and\nthe value differs", PLAIN),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "the same\non yours", phone=4.4)
