"""Picture: which calls a default device completes, and where their tensors land."""

from evidence.figures.marks import BEST, HOST, MUTED, PLAIN, is_narrow
from evidence.figures.sketch import BOX, arrow, box

#: Calls, what becomes of each, and where its tensor lands, the default device being a GPU.
CALLS = (
    ("torch.ones(n)", "added", "default device", BEST),
    ('torch.ones(n, device="cpu")', "as written", "CPU", PLAIN),
    ("torch.zeros_like(x)", "not on the list", "CPU", PLAIN),
    ("torch.as_tensor(x)", "added", "default device", BEST),
)


def draw(axes):
    """Draw the calls below each other, and on the right, or on a phone below, each place."""
    narrow = is_narrow(axes)
    height = 2.6 if narrow else 1
    call, place = ((0, 9), (4.6, 9.6)) if narrow else ((0, 4.4), (7.2, 10))
    below = 1.2 if narrow else 0
    axes.set(xlim=(-0.1, 10.1), ylim=(-(len(CALLS) - 1) * height - below - 0.5, 0.5))
    axes.figure.set_figheight(5.4 if narrow else 3.4)
    for row, (text, becomes, where, colour) in enumerate(CALLS):
        y = -row * height
        box(axes, y, call, text, HOST, alpha=0.12)
        box(axes, y - below, place, where, colour)
        if narrow:
            arrow(axes, (7.1, y - BOX / 2), (7.1, y - below + BOX / 2))
            axes.text(6.8, y - below / 2, becomes, color=MUTED, ha="right", va="center")
        else:
            arrow(axes, (call[1], y), (place[0], y))
            axes.text(5.8, y + 0.06, becomes, color=MUTED, ha="center", va="bottom")
