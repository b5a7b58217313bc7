"""Picture: questions that lead to the tool that finds the first NaN."""

from evidence.figures.marks import BEST, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Is the loss\nNaN or infinite?", "hooks on the layers", BEST),
    (
        "Are the gradients finite\nwithout a scale?",
        "let the scaler\nlower the scale",
        BEST,
    ),
    ("Are they\nNaN?", "anomaly mode,\nwithout a scale", STEP),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "a mode that sees\neach operation", phone=4.6)
