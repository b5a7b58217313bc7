"""Picture: questions to the message, from the top to the first yes, and what to do."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Tried: far more\nthan you expect?", "find the line,\nprint its shapes", STEP),
    ("Is there\nan “allowed”?", "a limit was set:\nraise it", PLAIN),
    ("Process …: much?", "another process\nis on the GPU", COSTLY),
    ("Unallocated:\nmore than tried?", "in pieces:\nset an option", STEP),
    ("In private pools:\nmuch?", "graphs keep it", COSTLY),
    ("This process: more\nthan both?", "context, libraries", PLAIN),
    ("Does allocated\ngrow by step?", "something\nkeeps tensors", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "a smaller step", phone=5)
