"""Picture: an update between two steps changes the scale under gradients that still have it."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, is_narrow
from evidence.figures.sketch import BOX, arrow, box, cases

LANES = "program", "scale"


def draw(axes):
    """Draw both orders of calls, and the scale by which the second step divides."""
    narrow = is_narrow(axes)
    backward = "scale,\nbackward" if narrow else "scale both,\nbackward"
    titles = "Wrong: update() between the steps", "Right: update() after both"
    wrong, right = cases(axes, dict.fromkeys(titles, LANES), end=10)
    for case, order, changed in ((wrong, "1u2", 6.1), (right, "12u", 8.1)):
        program, scale = case["program"], case["scale"]
        box(axes, program, (0.2, 4), backward, HOST)
        for place, call in enumerate(order):
            span = (4.1 + 2 * place, 6 + 2 * place)
            late = call == "2" and changed < span[0]
            colour = COSTLY if late else BEST if call == "2" else HOST
            text = "update" if call == "u" else f"step {call}"
            box(axes, program, span, text, colour)
            if call == "2":
                top = scale + BOX / 2
                arrow(axes, (sum(span) / 2, top), (sum(span) / 2, program - BOX / 2))
        box(axes, scale, (0.2, changed - 0.1), "that of the gradients", BEST)
        box(axes, scale, (changed, 10), "halved", MUTED, alpha=0.12)
