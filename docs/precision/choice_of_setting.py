"""Picture: questions that lead to a precision setting, from the top to the first yes."""

from evidence.figures.marks import BEST, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Need full FP32?", "full FP32 for\nevery operator", STEP),
    ("May types change?", "BF16 in autocast", BEST),
    ("Only tiny\nmatmuls?", "the defaults", PLAIN),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, '"high"', phone=4.4)
