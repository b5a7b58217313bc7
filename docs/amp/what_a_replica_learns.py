"""Picture: what the threads of DataParallel learn of autocast in the thread that calls them."""

from evidence.figures.marks import BEST, COSTLY, HOST, MUTED, is_narrow
from evidence.figures.sketch import box

#: Rows from the top: who it is, and whether autocast is on, its type and its cache.
THREADS = {
    "calling thread": ("on", "BF16", "off"),
    "replica on GPU 0": ("on", "FP16", "on"),
    "replica on GPU 1": ("on", "FP16", "on"),
}
COLUMNS = ("autocast", "type", "cache")


def draw(axes):
    """Draw a row of boxes for each thread; what differs from the first row stands out."""
    narrow = is_narrow(axes)
    left = 3.6 if narrow else 2.8
    wide = (10 - left) / len(COLUMNS)
    axes.set(xlim=(-0.1, 10.1), ylim=(-2.45, 1.05))
    axes.figure.set_figheight(3 if narrow else 2.8)
    asked = next(iter(THREADS.values()))
    for place, name in enumerate(COLUMNS):
        middle = left + (place + 0.5) * wide
        axes.text(middle, 0.5, name, ha="center", va="bottom", color=MUTED)
    for row, (thread, found) in enumerate(THREADS.items()):
        name = thread.replace(" on ", "\non ") if narrow else thread
        axes.text(left - 0.2, -row, name, ha="right", va="center")
        for place, text in enumerate(found):
            begin = left + place * wide
            colour = BEST if text == asked[place] else COSTLY
            span = (begin + 0.05, begin + wide - 0.05)
            box(axes, -row, span, text, colour if row else HOST)
