"""Picture: what casts and faster matmuls change in a short step and in a long one."""

from evidence.figures.marks import BEST, COSTLY, HOST, STEP
from evidence.figures.sketch import box, cases

CASES = {
    "Short kernels": ("host, FP32", "GPU, FP32", "host, BF16", "GPU, BF16"),
    "Long kernels": ("GPU in FP32", "GPU in BF16"),
}
#: Calls of the host one after the other, and how long the GPU works on each.
FP32 = (("linear", 0.7), ("linear", 0.7), ("SGD", 0.5))
BF16 = (("cast", 0.3), ("linear", 0.4), ("cast", 0.3), ("linear", 0.4), ("SGD", 0.5))
CALL = 2.2


def draw(axes):
    """Draw two small steps, each with its launches, and two large ones on the GPU alone."""
    short, long = cases(axes, CASES, end=12.2)
    for precision, calls in (("FP32", FP32), ("BF16", BF16)):
        for place, (text, work) in enumerate(calls):
            begin = CALL * place
            box(axes, short[f"host, {precision}"], (begin, begin + CALL), text, HOST)
            colour = COSTLY if text == "cast" else BEST
            ends = begin + CALL + work
            box(axes, short[f"GPU, {precision}"], (begin + CALL, ends), "", colour)
    box(axes, long["GPU in FP32"], (0, 7.4), "matmul", BEST)
    box(axes, long["GPU in FP32"], (7.4, 9.8), "norm", HOST)
    box(axes, long["GPU in FP32"], (9.8, 12.0), "SGD", STEP)
    box(axes, long["GPU in BF16"], (0, 0.6), "", COSTLY)
    box(axes, long["GPU in BF16"], (0.6, 3.2), "matmul", BEST)
    box(axes, long["GPU in BF16"], (3.2, 3.8), "", COSTLY)
    box(axes, long["GPU in BF16"], (3.8, 6.2), "norm", HOST)
    box(axes, long["GPU in BF16"], (6.2, 8.4), "SGD", STEP)
