"""Picture: batches move from the workers to the computation, several at once."""

from evidence.figures.marks import COPY, HOST, MUTED, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box, lanes

STEP = 2.7


def draw(axes):
    """Draw five places, and when each batch is in which."""
    between = "\n" if is_narrow(axes) else " "
    names = "workers", "pinning", "loop", "side stream", "main stream"
    at = lanes(axes, names, end=13.2)
    for number in (1, 2, 3):
        late = STEP * (number - 1)
        box(axes, at["workers"], (late, late + 2.5), f"load {number}", HOST)
        box(axes, at["pinning"], (late + 2.6, late + 4.2), f"pin {number}", HOST)
        send = late + 4.3, late + 5.6
        box(axes, at["loop"], send, f"send{between}{number}", HOST)
        copied = late + 5, late + 7
        box(axes, at["side stream"], copied, f"copy {number}", COPY)
        if number > 1:
            step = send[1], send[1] + 1.3
            box(axes, at["loop"], step, f"step{between}{number - 1}", HOST)
            run = late + 5.9, late + 7.7
            box(axes, at["main stream"], run, f"step {number - 1}", WORK)
    stages = list(at.values())
    places = 2.55, 4.25, 5.3
    for x, above, below in zip(places, stages, stages[1:], strict=False):
        arrow(axes, (x, above - BOX / 2), (x, below + BOX / 2), colour=MUTED)
