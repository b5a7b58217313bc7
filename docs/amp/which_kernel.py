"""Picture: questions that lead to the kernel of attention, from the top to the first yes."""

from evidence.figures.marks import BEST, COSTLY, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Is it in FP64?", "math", COSTLY),
    ("Keys of one sequence,\nor five dimensions?", "math", COSTLY),
    ("A mask, and an\nodd head?", "math", COSTLY),
    ("A mask?", "cuDNN or\nmemory-efficient", STEP),
    ("An odd head?", "FlashAttention", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "cuDNN or\nFlashAttention", phone=4.4)
