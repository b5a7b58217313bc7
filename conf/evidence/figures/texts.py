"""What a figure says beside its points: its ticks, units, references and numbers.

Each number stands for one that the figure took from a record, in the unit beside it. Whether its
words are right is for people to judge.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TypeAlias
from unicodedata import numeric

from evidence.figures import PlotError, points
from evidence.figures.marks import GIVEN
from evidence.figures.points import FREE, Drawing, Side, written
from evidence.records import units
from evidence.records.model import Cell, Row, scalar
from evidence.records.units import COUNT, RATIO, SHARE, Unit, unit_of

#: Cells by the name of their value or column.
Cells: TypeAlias = "Collection[tuple[str, Cell]]"

#: How figures write units, and what each is in base units; "copy 1" is a name.
_UNITS: dict[str, tuple[Unit, float]] = {
    "": (COUNT, 1.0),
    "Ki": (COUNT, 2.0**10),
    "Mi": (COUNT, 2.0**20),
    "M": (COUNT, 1e6),
    "million": (COUNT, 1e6),
    "B": (units.BYTES, 1.0),
    "milliseconds": (units.SECONDS, 1e-3),
    "seconds": (units.SECONDS, 1.0),
    "per cent": (SHARE, 0.01),
    "times": (RATIO, 1.0),
    "fold": (RATIO, 1.0),
}
for _unit in units.SUFFIXES.values():
    _UNITS |= {spelling: (_unit, factor) for spelling, factor in _unit.scales.items()}
_LONGEST_FIRST = sorted(filter(None, _UNITS), key=len, reverse=True)
_ONE = rf"({'|'.join(_LONGEST_FIRST)})(?!\w)"
_IN_LABEL = re.compile(rf"(?<!\w){_ONE}")
_NUMBER = re.compile(rf"(?<![\w.])(-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?)(?:[\s-]?{_ONE})?")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def check(drawn: Drawing, taken: Cells, said: Iterable[str]) -> None:
    """See that a figure says nothing that is not so.

    :param taken: the cells that it took from records, and those that it returned
    :param said: all that is written in it
    :raises PlotError: when it does
    """
    ticks = set()
    for side in drawn.numbered:
        _check_ticks(side, drawn.rows)
        ticks |= {text for _, text in points.labels(side.axis)}
    _check_references(drawn, [cell for _, cell in taken])
    _check_numbers([text for text in said if text not in ticks], taken)


def _check_numbers(texts: Iterable[str], taken: Cells) -> None:
    """See that each number in texts is in a cell."""
    strings = [scalar(cell) for _, cell in taken]
    names = {word for text in strings if isinstance(text, str) for word in text.split()}
    for text in texts:
        for match in _NUMBER.finditer(text.replace("−", "-")):
            number, half, unit = _quantity(match)
            fitting = (COUNT, RATIO) if unit is COUNT else (unit,)
            same = [cell for name, cell in taken if unit_of(name) in fitting]
            known = chain.from_iterable(points.plain(cell) for cell in same)
            is_name = match[0] in names or (len(match[0]) == 1 and not match[2])
            if not is_name and all(abs(value - number) > half for value in known):
                raise PlotError(f"draws {match[0]!r}, which it took from no record")


def _quantity(match: re.Match[str], in_label: str = "") -> tuple[float, float, Unit]:
    """A number in base units, half a step of its last digit, and its unit.

    :param in_label: the unit of a number that has none beside it
    """
    digits = match[1].replace(",", "")
    unit, factor = _UNITS[match[2] or in_label]
    mantissa, _, power = digits.partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    return float(digits) * factor, 0.5 * 10.0**-places * factor, unit


def _check_ticks(side: Side, rows: Sequence[Row]) -> None:
    """See that each label is the number of its place, in a unit of what is drawn."""
    cells = [cell for row in rows for cell in row.items()]
    shown = {name for name, cell in cells if side.places & side.shown([cell])}
    fitting = [unit_of(name) for name in shown]
    label = side.axis.get_label_text()
    in_label, *_ = *_IN_LABEL.findall(label), ""
    for place, text in points.labels(side.axis):
        own = place / side.unit
        match = _NUMBER.fullmatch(_digits(text))
        number, _, unit = _quantity(match, in_label) if match else (math.nan, 0, COUNT)
        is_ratio = unit is COUNT and (RATIO in fitting or SHARE in fitting)
        fits = unit in fitting or is_ratio
        if not (abs(number - own) <= abs(own) / 100 and (fits or not shown)):
            drawn = " and ".join(sorted(shown)) or side.axis.axis_name
            raise PlotError(
                f"labels {own:g} of {drawn} as {text!r}, where the axis says {label!r}"
            )


def _digits(label: str) -> str:
    """The label of a tick without signs for powers, fractions and mathematics."""
    text = re.sub(r"[$\\{}]|mathdefault", "", label).replace("−", "-")
    text = str(numeric(text)) if text in {*"¼½¾"} else text
    return re.sub(r"^10\^?(?=[-⁻⁰¹²³⁴-⁹])", "1e", text).translate(_RAISED)


def _check_references(drawn: Drawing, cells: Sequence[Cell]) -> None:
    """See that each reference is level at a measured value, or at one, which is no change."""
    for line in drawn.axes.lines:
        if not points.is_reference(line) or line.get_label() == GIVEN["label"]:
            continue
        places = [{*along} for along in line.get_xydata().T]
        if all(len(along) > 1 for along in places):
            raise PlotError("draws a reference that is not level: draw it as GIVEN")
        for side in drawn.numbered:
            place, *others = places[side.number]
            values = (points.plain(cell)[:1] for cell in cells)
            known = {written(side.unit * n) for n in chain([1], *values)} | FREE
            if not others and written(place) not in known:
                raise PlotError(
                    f"draws a reference at {written(place)}, which it took from no record: "
                    "take it from one, or draw it as GIVEN"
                )
