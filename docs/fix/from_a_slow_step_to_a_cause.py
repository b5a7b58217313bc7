"""Picture: questions to a slow training step, in their order, and where a yes leads."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Are only the first\nsteps slow?", "kernels load,\nor are compiled", PLAIN),
    ("Fast on one GPU,\nslow on several?", "the GPUs wait\nfor each other", STEP),
    ("A quarter of it\nin the loader?", "more workers,\nor faster files", BEST),
    ("A quarter in\ncopies alone?", "pin the batches,\nor send less", BEST),
    ("Is the GPU idle\nafter waits?", "read values later", BEST),
    ("Is it idle, with\nmany kernels?", "a graph, or\nlarger batches", STEP),
    ("Is it idle, with\nfew kernels?", "take the work\nout of the loop", COSTLY),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "the kernels:\nwhat bounds them?", phone=5)
