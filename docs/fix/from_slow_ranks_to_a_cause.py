"""Picture: questions to GPUs that are slow together, the likeliest cause first."""

from evidence.figures.marks import BEST, COSTLY, PLAIN, STEP
from evidence.figures.sketch import questions

#: Questions, and where a yes leads.
STEPS = (
    ("Is it\nDataParallel?", "take DDP", BEST),
    ("Are all processes\non GPU 0?", "choose the\nGPU first", COSTLY),
    ("Half of the batch:\nas slow as all?", "one GPU\nwill do", PLAIN),
    ("Does the host\ncompute, too?", "give each rank\nits threads", STEP),
    ("Do you accumulate\ngradients?", "no_sync, for all\nbut the last", STEP),
    ("FSDP2, although\nthe model fits?", "take DDP", BEST),
    ("Is one rank late?", "even out\nthe work", COSTLY),
)


def draw(axes):
    """Draw the questions below each other, and their answers on the right."""
    questions(axes, STEPS, "test the link", phone=5)
