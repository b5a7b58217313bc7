"""Picture: questions to a program that hangs, the cheapest first, and where a yes leads."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Several ranks,\nand no step yet?", "count the\nprocesses", BEST),
    ("Is it the\nfirst step?", "kernels load,\nor are compiled", PLAIN),
    ("Is it in a\nforked process?", "start it\nwith spawn", BEST),
    ("Has one rank\nended?", "read its error", COSTLY),
    ("Are there\nseveral ranks?", "ask which one\nis missing", BEST),
    ("Does the line\nread a result?", "the GPU is\nstill busy", STEP),
    ("Is another program\non the GPU?", "they take turns", COSTLY),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "the host waits\nfor itself", phone=5)
