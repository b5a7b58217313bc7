"""What several figures draw alike: lines with their intervals, names beside them, ticks.

The other half of a figure, its style and its SVG, is ``evidence.figures.drawing``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from evidence.figures import INKS
from evidence.figures.labels import labels, width
from evidence.records.model import Timing

INK, MUTED, *_ = INKS

#: What a colour means in every figure: the form that a page recommends, a step towards it, the
#: plain form, and one that costs or goes wrong. In a timeline the first two are copies and work.
BEST, STEP, PLAIN, COSTLY = "C0", "C1", "C2", "C3"
HOST, COPY, WORK = MUTED, "C0", "C1"

#: The end of a line, to be named: text, last dot and colour.
End = tuple[str, tuple[float, float], str]

#: On a phone, names of so many letters stand two in a row, and so many ticks on an axis.
MOST_IN_A_ROW = 19
MOST_TICKS = 4

#: How far the arms of a row stand apart, of the distance of two rows.
APART = 0.25

#: A thin dashed line: what the measured lines are to be compared with, at a measured value or,
#: on an axis of ratios, at one. By its label, which no legend shows, it is known.
REFERENCE: dict[str, Any] = {
    "label": "_reference",
    "color": MUTED,
    "linewidth": 1,
    "linestyle": (0, (5, 4)),
}
#: The same, where no record has it: a theory, the border of a format, what others say. Nothing
#: compares it, so ``tests/test_figure_texts.py`` has the list of those that reviewers have seen.
GIVEN = REFERENCE | {"label": "_given"}


def line(
    axes: Any,
    xs: Sequence[float],
    cells: Sequence[Timing],
    colour: str,
    unit: float = 1,
) -> tuple[float, float]:
    """Draw medians as dots on a line, and their intervals as a band; gives the last dot.

    :param unit: what the axis shows as 1, in base units: 1e9 for GB/s
    """
    low = [cell.interval.low / unit for cell in cells]
    high = [cell.interval.high / unit for cell in cells]
    medians = [cell.value / unit for cell in cells]
    axes.fill_between(xs, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(xs, medians, "o-", color=colour)
    return xs[-1], medians[-1]


def lines(
    axes: Any,
    xs: Sequence[float],
    rows: Sequence[Mapping[str, Any]],
    columns: Mapping[str, tuple[str, str]],
    unit: float = 1,
) -> list[End]:
    """Draw columns of a sweep, each as a :func:`line`; gives their ends for :func:`names`.

    :param columns: text and colour of each, by the name of the column
    """
    return [
        (text, line(axes, xs, [row[name] for row in rows], colour, unit), colour)
        for name, (text, colour) in columns.items()
    ]


def is_narrow(axes: Any) -> bool:
    """Whether the drawing is the one for a phone: it has no room beside its axes."""
    return bool(axes.figure.get_figwidth() < 6)  # inches


def label(
    axes: Any,
    text: str,
    point: tuple[float, float],
    colour: str,
    offset: tuple[float, float] = (10, 0),
    **more: Any,
) -> None:
    """Write beside a point in the colour of what it names; usually the end of a line.

    :param offset: in points, to the right and up
    :param more: of matplotlib's ``Text``: ``ha="right"`` to stand on the left of the point
    """
    axes.annotate(
        text,
        point,
        xytext=offset,
        textcoords="offset points",
        color=colour,
        annotation_clip=False,  # beside the axes it is still wanted
        **{"va": "center" if offset[0] else "baseline", **more},
    )


def names(axes: Any, ends: Sequence[End]) -> None:
    """Write beside the ends of lines, the lowest first, each above the one below it.

    On a phone the names stand above the axes, in the order of the ends. Call it when the limits
    of the axes are set: it asks where the ends will be.
    """
    said = labels()
    if is_narrow(axes):
        high_first = sorted(ends, key=lambda end: -end[1][1])
        texts = [said.one_line(text) for text, *_ in high_first]
        marks = [Line2D([], [], color=colour, marker="o") for *_, colour in high_first]
        axes.legend(
            marks,
            texts,
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=1 + (max(map(width, texts)) <= MOST_IN_A_ROW),
            labelcolor="linecolor",
            handlelength=1,
            borderpad=0.2,
        )
        return
    to_points = 72 / axes.figure.dpi
    line_height = 1.25 * rcParams["font.size"]
    heights = [
        axes.transData.transform(point)[1] - axes.bbox.y0 for _, point, _ in ends
    ]
    free = 0.0
    for height, (text, point, colour) in sorted(zip(heights, ends, strict=True)):
        half = line_height * (1 + said(text).count("\n")) / 2
        above = height * to_points
        place = max(above, free + half)
        free = place + half
        label(axes, text, point, colour, (10, round(place - above, 1)))


def arms(
    axes: Any,
    rows: Sequence[Mapping[str, Any]],
    named: Mapping[str, tuple[str, str]],
    labels: Sequence[str],
) -> dict[str, float]:
    """Draw a dot and its interval for each arm of each row, the rows below each other.

    :param named: name and colour of each arm, by what it is called in the rows; from above
    :param labels: what the rows are called
    :return: how far each arm is below the middle of its row; the rows are at 0, 1 and so on
    """
    middle = (len(named) - 1) / 2
    below = {arm: (place - middle) * APART for place, arm in enumerate(named)}
    for arm, (_, colour) in named.items():
        for at, row in enumerate(rows):
            cell, height = row[arm], at + below[arm]
            reach = [cell.interval.low, cell.interval.high]
            axes.plot(reach, [height] * 2, color=colour, linewidth=7, alpha=0.3)
            axes.plot(cell.value, height, "o", color=colour, markersize=9)
    axes.set(ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticks(range(len(rows)), labels, multialignment="right")
    axes.grid(visible=False)
    return below


def ticks(axis: Any, places: Sequence[float], text: Callable[[float], str]) -> None:
    """Mark these places of an axis and no others: a logarithmic one would add its own."""
    if is_narrow(axis.axes) and len(places) > MOST_TICKS and axis.axis_name == "x":
        places = places[:: -(-len(places) // MOST_TICKS)]
    axis.set(
        major_locator=FixedLocator(places),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda place, _: text(place)),
    )


def binary(size: float) -> str:
    """A whole number of bytes for a tick: 64 B, 4 KiB, 256 MiB, 1 GiB."""
    power = sum(size >= 2 ** (10 * step) for step in (1, 2, 3))
    return f"{size / 2 ** (10 * power):.0f} {('B', 'KiB', 'MiB', 'GiB')[power]}"
