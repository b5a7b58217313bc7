"""Picture: a claim and a record meet in the build, which publishes what holds."""

from evidence.figures.marks import BEST, COPY, COSTLY, HOST, WORK, is_narrow
from evidence.figures.sketch import BOX, arrow, box

#: Of each box its row, where it begins and ends, its text and its colour.
WIDE = {
    "page": (0, (0, 3.9), "a sentence on a page", HOST),
    "script": (-1.3, (0, 1.2), "script", COPY),
    "GPU": (-1.3, (1.65, 2.55), "GPU", WORK),
    "record": (-1.3, (3, 4.2), "record", COPY),
    "build": (-0.65, (5, 6.8), "build\ncompares", HOST),
    "holds": (0, (8, 10), "published with\nits evidence", BEST),
    "differs": (-1.3, (8, 10), "nothing is\npublished", COSTLY),
}
PHONE = {
    "page": (0, (0, 10), "a sentence on a page", HOST),
    "script": (-1.15, (3.6, 5.6), "script", COPY),
    "GPU": (-1.15, (6.2, 7.6), "GPU", WORK),
    "record": (-1.15, (8.2, 10), "record", COPY),
    "build": (-2.3, (0, 10), "build compares", HOST),
    "holds": (-3.6, (0, 4.8), "published with\nits evidence", BEST),
    "differs": (-3.6, (5.2, 10), "nothing is\npublished", COSTLY),
}


def draw(axes):
    """Draw what claims, what measures, what compares, and both outcomes."""
    narrow = is_narrow(axes)
    places = PHONE if narrow else WIDE
    lowest = min(row for row, *_ in places.values())
    axes.set(xlim=(-0.1, 10.1), ylim=(lowest - 0.45, 0.45))
    axes.figure.set_figheight(3.6 if narrow else 2.4)
    for row, span, text, colour in places.values():
        box(axes, row, span, text, colour, alpha=0.12 if colour == HOST else 0.35)
    for begin, end in (("script", "GPU"), ("GPU", "record")):
        (row, (_, left), *_), (_, (right, _), *_) = places[begin], places[end]
        arrow(axes, (left, row), (right, row))
    (_down if narrow else _across)(axes)


def _across(axes):
    """Lead from the left to the build, and on to the outcomes."""
    arrow(axes, (3.9, 0), (5, -0.5))
    arrow(axes, (4.2, -1.3), (5, -0.8))
    arrow(axes, (6.8, -0.5), (8, 0))
    arrow(axes, (6.8, -0.8), (8, -1.3))
    axes.text(7.2, 0.05, "it holds", ha="center", va="center")
    axes.text(7.2, -1.35, "it differs", ha="center", va="center")


def _down(axes):
    """Lead from the top to the build, and on to the outcomes."""
    arrow(axes, (1.5, -BOX / 2), (1.5, -2.3 + BOX / 2))
    arrow(axes, (9.1, -1.15 - BOX / 2), (9.1, -2.3 + BOX / 2))
    arrow(axes, (2.4, -2.3 - BOX / 2), (2.4, -3.6 + BOX / 2), "it holds")
    arrow(axes, (7.6, -2.3 - BOX / 2), (7.6, -3.6 + BOX / 2), "it differs")
