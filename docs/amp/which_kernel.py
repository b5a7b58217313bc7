"""Picture: questions that lead to the kernel of attention, from the top to the first yes."""

from evidence.figures.marks import BEST, COSTLY, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Is it in FP64?", "math", COSTLY),
    ("Keys of one sequence,\nor five dimensions?", "math", COSTLY),
    ("A mask, and head size\nnot a multiple of 8?", "math", COSTLY),
    ("A learned mask?", "memory-efficient", STEP),
    ("Another mask?", "cuDNN, if tried first;\nelse memory-efficient", STEP),
    ("Head size not\na multiple of 8?", "FlashAttention", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "cuDNN, if tried first;\nelse FlashAttention", phone=4.4)
