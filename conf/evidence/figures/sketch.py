"""Pictures that explain: lanes of time with boxes, arrows and marks. They show nothing measured.

A picture's module has ``draw(axes)``. Times are in any unit, and the first lane is on top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evidence.figures.marks import HOST, INK, MUTED, PLAIN, is_narrow

#: Heights, in lanes: of a box, and of the line that names a lane on a phone.
BOX, NAME = 0.62, 0.62

Place = tuple[float, float]


def lanes(axes: Any, names: Sequence[str], end: float) -> dict[str, float]:
    """Name the lanes and draw their lines, up to a time; gives the height of each.

    The names stand on the left, and on a phone above each lane.
    """
    narrow = is_narrow(axes)
    heights = _lanes(axes, names, 0, end)
    bottom = min(heights.values()) - 0.6
    axes.set(xlim=(-0.01 * end, 1.01 * end), ylim=(bottom, 0.6 + NAME * narrow))
    height = (1 + NAME * narrow) * len(names)
    axes.figure.set_figheight((0.72 if narrow else 0.8) * height + 0.4)
    return heights


def _lanes(axes: Any, names: Sequence[str], y: float, end: float) -> dict[str, float]:
    """Draw the lines and names of lanes, the first at a height."""
    narrow = is_narrow(axes)
    heights = {}
    for place, name in enumerate(names):
        at = heights[name] = y - (1 + NAME * narrow) * place
        axes.plot([0, end], [at - BOX / 2] * 2, color=MUTED, linewidth=1)
        where = (0, at + BOX / 2 + 0.06) if narrow else (-0.02 * end, at)
        ha, va = ("left", "bottom") if narrow else ("right", "center")
        axes.text(*where, name, ha=ha, va=va, color=INK)
    return heights


def box(
    axes: Any,
    y: float,
    span: Place,
    text: str,
    colour: str,
    *,
    alpha: float = 0.35,
) -> None:
    """Something that takes its time: a box in the lane at a height, with a text in it.

    :param span: when it begins and ends
    """
    begin, end = span
    where = {"height": BOX, "left": begin, "align": "center"}
    axes.barh(y, end - begin, color=colour, alpha=alpha, **where)
    axes.barh(y, end - begin, fill=False, edgecolor=colour, linewidth=1.2, **where)
    axes.text((begin + end) / 2, y, text, ha="center", va="center", linespacing=1.05)


def arrow(
    axes: Any, begin: Place, end: Place, text: str = "", colour: str = MUTED
) -> None:
    """What leads from one place to another, such as a wait; its text stands beside the middle."""
    style = {
        "arrowstyle": "-|>",
        "color": colour,
        "linewidth": 1.5,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.annotate("", end, begin, arrowprops=style)
    middle = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
    axes.annotate(
        text, middle, (6, 0), textcoords="offset points", color=colour, va="center"
    )


def mark(axes: Any, x: float, text: str, colour: str = MUTED) -> None:
    """A moment, across all lanes: a dashed line with its text on top."""
    bottom, top = axes.get_ylim()
    _dashed(axes, x, (bottom, top - 0.15), colour)
    axes.text(x, top - 0.12, text, ha="center", va="bottom", color=colour)


def _dashed(axes: Any, x: float, reach: Place, colour: str) -> None:
    axes.plot([x, x], reach, color=colour, linewidth=1.2, linestyle=(0, (4, 3)))


def cases(
    axes: Any, names: Mapping[str, Sequence[str]], end: float
) -> list[dict[str, float]]:
    """Lanes that come again in each case, under its title; gives the heights, case by case."""
    narrow = is_narrow(axes)
    heights = []
    y = 0.0
    for title, own in names.items():
        above = y + 0.5 + 0.36 * narrow
        axes.text(0, above, title, va="bottom", color=INK, weight="bold")
        heights.append(_lanes(axes, own, y, end))
        y -= (1 + NAME * narrow) * len(own) + 0.75
    top = 0.95 + 0.36 * narrow
    bottom = min(heights[-1].values()) - 0.45
    axes.set(xlim=(-0.01 * end, 1.01 * end), ylim=(bottom, top))
    axes.figure.set_figheight((0.72 if narrow else 0.8) * (top - bottom))
    return heights


def moment(
    axes: Any, x: float, case: Mapping[str, float], text: str, colour: str = MUTED
) -> None:
    """A moment of one of the cases: as :func:`mark`, but across its lanes alone."""
    top = max(case.values()) + 0.46 + 0.36 * is_narrow(axes)
    bottom = min(case.values()) - BOX / 2
    _dashed(axes, x, (bottom, top), colour)
    axes.text(x, top + 0.04, text, ha="center", va="bottom", color=colour)


def questions(
    axes: Any, steps: Sequence[tuple[str, str, str]], otherwise: str, *, phone: float
) -> None:
    """Questions below each other with their answers on the right, down to the first yes.

    :param steps: of each question its words, the answer to a yes, and the answer's colour
    :param otherwise: the answer when all are answered with no
    :param phone: width of a question on a phone, of ten
    """
    narrow, last = is_narrow(axes), len(steps)
    axes.set(xlim=(-0.1, 10.1), ylim=(-last - 0.45, 0.45))
    axes.figure.set_figheight(0.8 * last + (1.2 if narrow else 0.8))
    wide = phone if narrow else 3.4
    for row, (question, answer, colour) in enumerate(steps):
        box(axes, -row, (0, wide), question, HOST, alpha=0.12)
        box(axes, -row, (wide + 1, 10), answer, colour)
        arrow(axes, (wide, -row), (wide + 1, -row))
        axes.text(wide + 0.4, 0.04 - row, "yes", color=MUTED, ha="center", va="bottom")
        arrow(axes, (wide / 2, -row - 0.31), (wide / 2, -row - 0.69), "no")
    box(axes, -last, (0, wide), otherwise, PLAIN)
