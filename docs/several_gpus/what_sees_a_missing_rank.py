"""Picture: which missing ranks each means names."""

from evidence.figures.marks import BEST, INK, MUTED, is_narrow
from evidence.figures.sketch import box

#: What happened to the rank, from left to right, and how many of these each means names.
COLUMNS = ("skips", "dies", "was dead")
WAYS = {"watchdog, files": 3, "DETAIL": 2, "barrier": 2}


def draw(axes):
    """Draw a row of boxes for each means, filled where the rank is named."""
    narrow = is_narrow(axes)
    left = 4.3 if narrow else 3
    wide = (10 - left) / len(COLUMNS)
    axes.set(xlim=(-0.1, 10.1), ylim=(-2.45, 0.45))
    axes.figure.set_figheight(2.8 if narrow else 2.6)
    for row, (way, named) in enumerate(WAYS.items()):
        axes.text(left - 0.2, -row, way, ha="right", va="center", color=INK)
        for place, name in enumerate(COLUMNS):
            span = (left + place * wide + 0.05, left + (place + 1) * wide - 0.05)
            if place < named:
                box(axes, -row, span, name, BEST)
                continue
            box(axes, -row, span, "", MUTED, alpha=0.05)
            axes.text(sum(span) / 2, -row, name, ha="center", va="center", color=MUTED)
