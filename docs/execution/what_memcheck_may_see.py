"""Picture: what CUDA has allocated, with PyTorch's cache and without it."""

from evidence.figures.marks import BEST, COSTLY, HOST
from evidence.figures.sketch import box, cases, moment


def draw(axes):
    """Draw a tensor in a segment and one by itself, and an access after each."""
    first, second = cases(axes, {"cache": ["CUDA"], "no cache": ["CUDA"]}, end=10)
    box(axes, first["CUDA"], (0.3, 4), "tensor", BEST)
    box(axes, first["CUDA"], (4, 9.6), "free, same segment", HOST, alpha=0.12)
    moment(axes, 4.4, first, "access", BEST)
    box(axes, second["CUDA"], (0.3, 4), "tensor", BEST)
    moment(axes, 4.4, second, "access", COSTLY)
