"""Picture: questions that lead to a kind of graph, from the top to the first yes."""

from evidence.figures.marks import BEST, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Long kernels?", "no graph", PLAIN),
    ("Shapes that\nrarely repeat?", "no graph,\nor padded inputs", PLAIN),
    ("Code that\ncompiles?", "reduce-overhead", BEST),
    ("A part of\nthe model?", "make_graphed_\ncallables", STEP),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "capture a step", phone=4)
