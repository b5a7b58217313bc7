"""What a figure draws is what it returns: its points, compared with its rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from evidence.figures.marks import REFERENCE
from evidence.records.model import Row, Timing, scalar

#: By what a figure multiplies numbers to show them in a unit: %, µs, GB, MiB.
UNITS = (1.0, 100.0, *(1e3**n for n in range(-4, 5)), *(1024.0**-n for n in (1, 2, 3)))
#: Coordinates that are no number of a row: on an axis of names, where bars begin, gaps of a line.
FREE = {"", "0", "-0", "nan"}

#: By which a reference is known, and seen to be one.
_STYLE = ("label", "color", "linewidth")

_written = "{:.9g}".format


def fault(axes: Any, rows: Sequence[Row]) -> str:
    """How a drawing and its rows differ, in the units that fit best; empty where they do not.

    Both coordinates of a point are in one row, and each row is drawn.
    """
    free = {axes, axes.figure.patch, *axes.figure.texts}
    beside = *axes.tables, *axes.images, *axes.child_axes, *axes.figure.get_children()
    for other in {*beside} - free:
        return f"draws {type(other).__name__} of its own, whose points nothing compares"
    points = sorted({*_points(axes)})
    known = [[_numbers(row, unit) for row in rows] for unit in UNITS]
    xs, ys = {x for x, _ in points}, {y for _, y in points}
    across = max(known, key=lambda by_row: len(xs & set().union(*by_row)))
    up = max(known, key=lambda by_row: len(ys & set().union(*by_row)))
    hidden = set(range(len(rows)))
    for x, y in points:
        at = {n for n in range(len(rows)) if x in across[n] and y in up[n]}
        if not at:
            return f"draws the point ({x}, {y}), which is in no row that it returns"
        hidden -= at
    return f"does not draw row {min(hidden) + 1} of those it returns" if hidden else ""


def _numbers(row: Row, unit: float) -> set[str]:
    """The numbers of a row as they are written in a unit, and what is free."""
    timed = [cell for cell in row.values() if isinstance(cell, Timing)]
    values = chain(map(scalar, row.values()), *(cell.median for cell in timed))
    numbers = (value for value in values if isinstance(value, (int, float)))
    return FREE.union(_written(number * unit) for number in numbers)


def _points(axes: Any) -> Iterator[tuple[str, str]]:
    """What is drawn along an axis that shows numbers, references left out."""
    across, up = _has_numbers(axes.xaxis), _has_numbers(axes.yaxis)
    for x, y in _vertices(axes):
        point = _written(x) if across else "", _written(y) if up else ""
        if not FREE.issuperset(point):
            yield point


def _vertices(axes: Any) -> Iterator[Any]:
    """The corners of lines, bars and bands, and the centres of dots."""
    for line in axes.lines:
        style = {name: getattr(line, f"get_{name}")() for name in _STYLE}
        if style != {name: REFERENCE[name] for name in _STYLE}:
            yield from line.get_xydata()
    for patch in axes.patches:
        yield from patch.get_patch_transform().transform(patch.get_path().vertices)
    for group in axes.collections:
        yield from group.get_offsets()
        if group.get_transform().contains_branch(axes.transData):
            for path in group.get_paths():
                yield from path.vertices


def _has_numbers(axis: Any) -> bool:
    """Whether a label of the axis begins with a digit, and was not given as a name."""
    labels = axis.get_major_formatter().format_ticks(axis.get_majorticklocs())
    numbers = (re.match(r"(?:\W|mathdefault)*\d", label) for label in labels)
    return axis.get_units() is None and any(numbers)
