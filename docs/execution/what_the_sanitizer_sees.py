"""Picture: which kernels pass the sanitizer on their way to the GPU."""

from evidence.figures.marks import BEST, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw three calls, and whether each is checked before it becomes a kernel."""
    gap = "\n" if is_narrow(axes) else " "
    mine, other, gpu = lanes(axes, ("its thread", "other thread", "GPU"), 12).values()
    box(axes, mine, (0, 1.9), f"call{gap}write", HOST)
    box(axes, mine, (1.9, 4.1), "checked", BEST)
    box(axes, mine, (8, 10), f"replay{gap}graph", HOST)
    box(axes, other, (4.5, 6.5), f"call{gap}write", HOST)
    for begin, colour in ((4.2, WORK), (6.9, COSTLY), (10.2, COSTLY)):
        box(axes, gpu, (begin, begin + 1.6), "write", colour)
    for x, y, end in ((3.8, mine, 4.2), (6.5, other, 6.9), (10, mine, 10.2)):
        arrow(axes, (x, y - BOX / 2), (end, gpu + BOX / 2))
