"""Picture: questions to a wrong result, the likeliest cause first, and where a yes leads."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Do only the last\ndigits differ?", "rounding:\na tolerance", PLAIN),
    ("Does the loss\nstay the same?", "other weights\nthan you train", COSTLY),
    ("The same in\neach replay?", "copy into the\ngraph's input", STEP),
    ("A non_blocking\ncopy nearby?", "wait for\nan event", BEST),
    ("Are there\nseveral streams?", "make one wait\nfor the other", BEST),
    ("Several batches\nor ranks?", "weigh each loss", STEP),
    ("Does it depend on\nwhat ran before?", "memory that\nnobody wrote", COSTLY),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "compare with\nFP64 on the CPU", phone=5)
