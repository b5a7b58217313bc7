"""Picture: what each number of the message counts, from the whole GPU down to tensors."""

from evidence.figures.marks import BEST, HOST, MUTED, STEP
from evidence.figures.sketch import box, lanes

LANES = "the GPU", "this process", "PyTorch"


def draw(axes):
    """Draw the memory of the GPU, and in it what the process and PyTorch have."""
    gpu, process, pytorch = lanes(axes, LANES, 12).values()
    box(axes, gpu, (0, 2.4), "others", HOST)
    box(axes, gpu, (2.4, 9.6), "this process", STEP)
    box(axes, gpu, (9.6, 12), "free", MUTED, alpha=0.12)
    box(axes, process, (2.4, 4.4), "context", HOST)
    box(axes, process, (4.4, 9.6), "reserved", STEP)
    box(axes, pytorch, (4.4, 6.1), "allocated", BEST)
    box(axes, pytorch, (6.1, 6.9), "", MUTED, alpha=0.12)
    box(axes, pytorch, (6.9, 8.6), "allocated", BEST)
    box(axes, pytorch, (8.6, 9.6), "", MUTED, alpha=0.12)
