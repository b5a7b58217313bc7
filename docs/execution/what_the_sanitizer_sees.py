"""Picture: which kernels pass the sanitizer on their way to the GPU."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw three calls, and whether each is checked before it becomes a kernel."""
    gap = "\n" if is_narrow(axes) else " "
    mine, other, gpu = lanes(axes, ("its thread", "other thread", "GPU"), 12).values()
    box(axes, mine, (0, 1.9), f"call{gap}write", HOST)
    box(axes, mine, (1.9, 3.7), "checked", BEST)
    box(axes, mine, (8, 10), f"replay{gap}graph", HOST)
    box(axes, other, (4.2, 6.2), f"call{gap}write", HOST)
    for begin, colour in ((3.9, WORK), (6.6, COSTLY), (10.2, COSTLY)):
        box(axes, gpu, (begin, begin + 1.6), "write", colour)
    for x, y, end in ((3.4, mine, 3.9), (6.2, other, 6.6), (10, mine, 10.2)):
        arrow(axes, (x, y - BOX / 2), (end, gpu + BOX / 2))
