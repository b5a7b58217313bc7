"""What several figures draw alike: lines with their intervals, names beside them, ticks.

The other half of a figure, its style and its SVG, is ``evidence.drawing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from evidence.drawing import INK, MUTED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from evidence.records.model import Timing

__all__ = ["INK", "MUTED", "REFERENCE", "binary", "label", "line", "ticks"]

#: A thin dashed line: what the measured lines are to be compared with.
REFERENCE: dict[str, Any] = {
    "color": MUTED,
    "linewidth": 1,
    "linestyle": (0, (5, 4)),
}


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


def label(
    axes: Any,
    text: str,
    point: tuple[float, float],
    colour: str,
    offset: tuple[float, float] = (10, 0),
    **more: Any,
) -> None:
    """Write beside a point in the colour of what it names; usually the end of a line.

    :param offset: in points, to the right and up; so far off that lines which end close together
        keep their names apart
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


def ticks(axis: Any, places: Sequence[float], text: Callable[[float], str]) -> None:
    """Mark these places of an axis and no others: a logarithmic one would add its own."""
    axis.set(
        major_locator=FixedLocator(places),
        minor_locator=NullLocator(),
        major_formatter=FuncFormatter(lambda place, _: text(place)),
    )


def binary(size: float) -> str:
    """A whole number of bytes for a tick: 64 B, 4 KiB, 256 MiB, 1 GiB."""
    power = sum(size >= 2 ** (10 * step) for step in (1, 2, 3))
    return f"{size / 2 ** (10 * power):.0f} {('B', 'KiB', 'MiB', 'GiB')[power]}"
