"""Pictures that explain: lanes of time with boxes, arrows and marks. They show nothing measured.

A picture's module has ``draw(axes)``. Times are in any unit, and the first lane is on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evidence.figures.marks import INK, MUTED, is_narrow

#: Heights, in lanes: of a box, and of the line that names a lane on a phone.
BOX, NAME = 0.62, 0.62

Place = tuple[float, float]


def lanes(axes: Any, names: Sequence[str], end: float) -> dict[str, float]:
    """Name the lanes and draw their lines, up to a time; gives the height of each.

    The names stand on the left, and on a phone above each lane.
    """
    narrow = is_narrow(axes)
    height = 1 + NAME * narrow
    heights = {name: -height * place for place, name in enumerate(names)}
    axes.figure.set_figheight((0.72 if narrow else 0.8) * height * len(names) + 0.4)
    for name, y in heights.items():
        axes.plot([0, end], [y - BOX / 2] * 2, color=MUTED, linewidth=1)
        place = (0, y + BOX / 2 + 0.06) if narrow else (-0.02 * end, y)
        sides = ("left", "bottom") if narrow else ("right", "center")
        axes.text(*place, name, ha=sides[0], va=sides[1], color=INK)
    axes.set(
        xlim=(-0.01 * end, 1.01 * end),
        ylim=(min(heights.values()) - 0.6, 0.6 + NAME * narrow),
    )
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
    axes.plot(
        [x, x], [bottom, top - 0.15], color=colour, linewidth=1.2, linestyle=(0, (4, 3))
    )
    axes.text(x, top - 0.12, text, ha="center", va="bottom", color=colour)
