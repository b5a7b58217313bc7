"""Picture: what a new tensor takes from the one that it is made from."""

from evidence.figures.marks import BEST, INK, MUTED, is_narrow
from evidence.figures.sketch import box

#: What is taken, from left to right, by each way to make a tensor.
COLUMNS = ("type", "device", "format", "grad")
WAYS = {"zeros_like": 3, "new_zeros": 2, "torch.zeros": 0}


def draw(axes):
    """Draw a row of boxes for each way, filled where the attribute is kept."""
    narrow = is_narrow(axes)
    left = 3.4 if narrow else 2.6
    wide = (10 - left) / len(COLUMNS)
    axes.set(xlim=(-0.1, 10.1), ylim=(-2.45, 0.45))
    axes.figure.set_figheight(2.8 if narrow else 2.6)
    for row, (way, kept) in enumerate(WAYS.items()):
        axes.text(left - 0.2, -row, way, ha="right", va="center", color=INK)
        for place, name in enumerate(COLUMNS):
            begin = left + place * wide
            is_kept = place < kept
            span = (begin + 0.05, begin + wide - 0.05)
            if is_kept:
                box(axes, -row, span, name, BEST)
                continue
            box(axes, -row, span, "", MUTED, alpha=0.05)
            axes.text(sum(span) / 2, -row, name, ha="center", va="center", color=MUTED)
