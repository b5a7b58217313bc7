"""Picture: questions to a NaN, the cheapest first, and where a yes leads."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Is there a NaN\nin the batch?", "mend the data", COSTLY),
    ("FP16, and a plain\noptimizer.step()?", "call the\nscaler's step", COSTLY),
    ("In evaluation\nalone?", "look at the\nrunning statistics", STEP),
    ("Only a few steps\nare skipped?", "wait:\nthe scale falls", PLAIN),
    ("FP16, and each\nstep is skipped?", "go on in BF16", STEP),
    ("Is the loss itself\nNaN or infinite?", "hooks on\nthe layers", BEST),
    ("Are the gradients\nNaN?", "anomaly mode,\nwithout a scale", BEST),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "a mode that\nsees infinities", phone=5)
