"""Picture: the tensors of a loss over a vocabulary, whole and in chunks of tokens."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases

CASES = {
    "Whole": ("forward", "kept", "backward"),
    "In chunks, computed again": ("forward ", "kept ", "backward "),
}


def draw(axes):
    """Draw each tensor as a box along the tokens: all of them, or those of one chunk."""
    whole, chunked = cases(axes, CASES, end=12)
    texts = ("logits in BF16", "log-probabilities in FP32", "gradients")
    colours = (HOST, COSTLY, COSTLY)
    for lane, text, colour in zip(whole, texts, colours, strict=True):
        box(axes, whole[lane], (0.1, 11.9), text, colour)
    for lane in chunked:
        box(axes, chunked[lane], (0.1, 2.9), "", BEST)
        box(axes, chunked[lane], (3.1, 11.9), "not there", HOST, alpha=0.05)
