"""What a figure draws is what it returns: its points and its rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from evidence.figures import PlotError
from evidence.figures.marks import GIVEN, REFERENCE
from evidence.records.model import Cell, Row, Timing, scalar

#: By what a figure multiplies numbers to show them in a unit: %, µs, GB, MiB.
UNITS = (1.0, 100.0, *(1e3**n for n in range(-4, 5)), *(1024.0**-n for n in (1, 2, 3)))
#: Coordinates that are no number of a row: on an axis of names, where bars begin, gaps of a line.
FREE = {"", "0", "-0", "nan"}

#: By which a reference is known, and seen to be one.
_STYLE = ("label", "color", "linewidth")

#: What to do about a point that is in no row.
ADVICE = ": return what is drawn, or draw a REFERENCE"

written = "{:.9g}".format


class Side(NamedTuple):
    """What is drawn along one of the axes: its places as they are written, and in which unit."""

    axis: Any
    places: set[str]
    unit: float

    @property
    def number(self) -> int:
        """Which of the two coordinates of a point is along it."""
        return "xy".index(self.axis.axis_name)

    def shown(self, cells: Iterable[Cell]) -> set[str]:
        """The numbers of cells as they are written in its unit."""
        return numbers(cells, self.unit) - FREE


class Drawing(NamedTuple):
    """What was drawn on axes, and the rows of which it says that they are drawn."""

    axes: Any
    rows: Sequence[Row]
    sides: tuple[Side, Side]

    @property
    def numbered(self) -> list[Side]:
        """The sides that show numbers."""
        return [side for side in self.sides if has_numbers(side.axis)]


def drawing(axes: Any, rows: Sequence[Row]) -> Drawing:
    """A drawing, each of its sides in the unit in which most of its places are in the rows."""
    points = {*_points(axes)}
    xs, ys = {x for x, _ in points}, {y for _, y in points}
    cells = [cell for row in rows for cell in row.values()]
    known = {unit: numbers(cells, unit) for unit in UNITS}
    across = max(UNITS, key=lambda unit: len(xs & known[unit]))
    up = max(UNITS, key=lambda unit: len(ys & known[unit]))
    return Drawing(axes, rows, (Side(axes.xaxis, xs, across), Side(axes.yaxis, ys, up)))


def check(drawn: Drawing) -> None:
    """See that a drawing and its rows do not differ.

    Both coordinates of a point are in one row, and each row is drawn.

    :raises PlotError: when they do
    """
    axes, rows, (across, up) = drawn
    free = {axes, axes.figure.patch, *axes.figure.texts}
    beside = *axes.tables, *axes.images, *axes.child_axes, *axes.figure.get_children()
    for other in {*beside} - free:
        kind = type(other).__name__
        raise PlotError(
            f"draws {kind} of its own, whose points nothing compares{ADVICE}"
        )
    in_x = [FREE | across.shown(row.values()) for row in rows]
    in_y = [FREE | up.shown(row.values()) for row in rows]
    hidden = set(range(len(rows)))
    for x, y in sorted({*_points(axes)}):
        at = {n for n in range(len(rows)) if x in in_x[n] and y in in_y[n]}
        if not at:
            where = f"the point ({x}, {y})"
            raise PlotError(
                f"draws {where}, which is in no row that it returns{ADVICE}"
            )
        hidden -= at
    if hidden:
        row = min(hidden) + 1
        raise PlotError(f"does not draw row {row} of those it returns{ADVICE}")


def numbers(cells: Iterable[Cell], unit: float) -> set[str]:
    """The numbers of cells, and those of their processes, as they are written in a unit."""
    return {written(number * unit) for cell in cells for number in plain(cell)}


def plain(cell: Cell) -> list[float]:
    """The numbers of a cell, in base units: its value, and the median of each process."""
    if isinstance(cell, Timing):
        return [cell.value, *cell.median]
    value = scalar(cell)
    return [value] if isinstance(value, (int, float)) else []


def _points(axes: Any) -> Iterator[tuple[str, str]]:
    """What is drawn along an axis that shows numbers, references left out."""
    across, up = has_numbers(axes.xaxis), has_numbers(axes.yaxis)
    for x, y in _vertices(axes):
        point = written(x) if across else "", written(y) if up else ""
        if not FREE.issuperset(point):
            yield point


def _vertices(axes: Any) -> Iterator[Any]:
    """The corners of lines, bars and bands, and the centres of dots."""
    for line in axes.lines:
        if not is_reference(line):
            yield from line.get_xydata()
    for patch in axes.patches:
        yield from patch.get_patch_transform().transform(patch.get_path().vertices)
    for group in axes.collections:
        yield from group.get_offsets()
        if group.get_transform().contains_branch(axes.transData):
            for path in group.get_paths():
                yield from path.vertices


def is_reference(line: Any) -> bool:
    """Whether a line is what the measured ones are compared with, and looks like it."""
    style = {name: getattr(line, f"get_{name}")() for name in _STYLE}
    return any(
        style == {name: of[name] for name in _STYLE} for of in (REFERENCE, GIVEN)
    )


def has_numbers(axis: Any) -> bool:
    """Whether a label of the axis begins with a digit, and was not given as a name."""
    numbered = (
        re.match(r"(?:\W|mathdefault)*[\d¼½¾]", text) for _, text in labels(axis)
    )
    return axis.get_units() is None and any(numbered)


def labels(axis: Any) -> list[tuple[float, str]]:
    """The places of an axis that have a label, and what it says."""
    places = axis.get_majorticklocs()
    texts = axis.get_major_formatter().format_ticks(places)
    return [(place, text) for place, text in zip(places, texts, strict=True) if text]
