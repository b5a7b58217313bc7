"""Picture: questions that lead to a setting, from the top to the first yes."""

from evidence.figures.marks import BEST, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Is it\nfull of tensors?", "a smaller step", PLAIN),
    ("Much reserved,\nunallocated?", "expandable segments", BEST),
    ("Not with expandable\nsegments?", "a limit for splitting", STEP),
    ("Two programs\non a GPU?", "a memory fraction", STEP),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "the defaults", phone=4.4)
