"""Picture: questions that lead to a precision setting, from the top to the first yes."""

from evidence.figures.marks import BEST, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Exact to FP32?", '"ieee" for\nevery operator', STEP),
    ("May types change?", "BF16 in autocast", BEST),
    ("Is max-autotune\nused?", '"high", by the\nolder function', STEP),
    ("Large matmuls?", '"high"', BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "the defaults", phone=4.4)
