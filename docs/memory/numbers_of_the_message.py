"""Picture: what each number of the message counts, from the whole GPU down to tensors."""

from evidence.figures.marks import BEST, HOST, MUTED, STEP
from evidence.figures.sketch import box, lanes

LANES = "the GPU", "this process", "PyTorch"


def draw(axes):
    """Draw the memory of the GPU, and in it what the process and PyTorch have."""
    gpu, process, pytorch = lanes(axes, LANES, 12).values()
    box(axes, gpu, (0, 1.8), "others", HOST)
    box(axes, gpu, (1.8, 10.6), "this process", STEP)
    box(axes, gpu, (10.6, 12), "free", MUTED, alpha=0.12)
    box(axes, process, (1.8, 3.9), "context", HOST)
    box(axes, process, (3.9, 10.6), "reserved", STEP)
    box(axes, pytorch, (3.9, 6.5), "allocated", BEST)
    box(axes, pytorch, (6.5, 7.1), "", MUTED, alpha=0.12)
    box(axes, pytorch, (7.1, 9.7), "allocated", BEST)
    box(axes, pytorch, (9.7, 10.6), "", MUTED, alpha=0.12)
