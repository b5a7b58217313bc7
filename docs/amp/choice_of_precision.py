"""Picture: questions that lead to a precision, from the top to the first yes."""

from evidence.figures.marks import BEST, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Short steps?", "FP32 or TF32", PLAIN),
    ("No type\nmay change?", "TF32", STEP),
    ("A GPU\nwithout BF16?", "FP16 in autocast,\nwith a scaler", STEP),
    ("Convolutions?", "BF16 in autocast,\nand channels last", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "BF16 in autocast", phone=4)
