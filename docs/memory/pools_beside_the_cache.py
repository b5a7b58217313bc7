"""Picture: the cache and a pool have segments of their own, and give them back separately."""

from evidence.figures.marks import BEST, HOST, WORK
from evidence.figures.sketch import box, cases


def draw(axes):
    """Draw the segments of both, and what returns them."""
    cache, pool = cases(
        axes,
        {
            "the cache": ("holds", "returned by"),
            "a pool": ("holds", "returned by"),
        },
        end=12,
    )
    for case, way in ((cache, "empty_cache()"), (pool, "del pool")):
        box(axes, case["holds"], (0.2, 3.8), "tensor", WORK)
        box(axes, case["holds"], (3.8, 7.8), "free", HOST, alpha=0.12)
        box(axes, case["holds"], (8, 11.8), "tensor", WORK)
        box(axes, case["returned by"], (0.2, 11.8), way, BEST)
