"""Picture: CUDA reads the variable at the first call that asks it, and never again."""

from evidence.figures.marks import BEST, COSTLY, HOST, PLAIN, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes


def draw(axes):
    """Draw what the program calls, and when CUDA reads the variable."""
    between = "\n" if is_narrow(axes) else " "
    program, cuda = lanes(axes, ("program", "CUDA"), end=12).values()
    for begin, end, text, colour in (
        (0, 2.2, "import\ntorch", PLAIN),
        (2.4, 4.4, "set it", BEST),
        (4.6, 7, "is_avail-\nable()" if is_narrow(axes) else "is_available()", HOST),
        (7.2, 9.4, "set it\nagain", COSTLY),
        (9.6, 12, "make a\ntensor", HOST),
    ):
        box(axes, program, (begin, end), text, colour)
    box(axes, cuda, (5, 12), f"the GPUs{between}of the first value", BEST)
    arrow(axes, (5.4, program - BOX / 2), (5.4, cuda + BOX / 2), "reads it")
    arrow(axes, (10.8, program - BOX / 2), (10.8, cuda + BOX / 2))
