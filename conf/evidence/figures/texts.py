"""What a figure says beside its points: its ticks, units, references, numbers and names.

Each number stands for one that the figure took from a record, in the unit beside it. Whether its
words are right is for people to judge, but for two names that would fit better if exchanged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TypeAlias
from unicodedata import numeric

from evidence.figures import points
from evidence.figures.marks import GIVEN
from evidence.figures.points import FREE, Drawing, Side, written
from evidence.records import units
from evidence.records.model import Cell, Row, scalar
from evidence.records.units import COUNT, RATIO, SHARE, Unit, unit_of

#: Cells by the name of their value or column.
Cells: TypeAlias = "Collection[tuple[str, Cell]]"
#: A text, and the words of each thing that it may be the name of.
Named: TypeAlias = "tuple[str, list[set[str]]]"

#: How figures write units, and what each is in base units.
_UNITS: dict[str, tuple[Unit, float]] = {
    "": (COUNT, 1.0),
    "Ki": (COUNT, 2.0**10),
    "Mi": (COUNT, 2.0**20),
    "M": (COUNT, 1e6),
    "B": (units.BYTES, 1.0),
    "milliseconds": (units.SECONDS, 1e-3),
    "seconds": (units.SECONDS, 1.0),
}
for _unit in units.SUFFIXES.values():
    _UNITS |= {spelling: (_unit, factor) for spelling, factor in _unit.scales.items()}


def _one_of(spellings: Iterable[str]) -> str:
    longest_first = sorted(filter(None, spellings), key=len, reverse=True)
    return rf"({'|'.join(longest_first)})(?!\w)"


_IN_LABEL = re.compile(rf"(?<!\w){_one_of(_UNITS)}")
#: Words that make a quantity of a digit; "copy 1" is a name.
_UNITS |= {"million": (COUNT, 1e6), "per cent": (SHARE, 0.01)}
_UNITS |= {"times": (RATIO, 1.0), "fold": (RATIO, 1.0)}
_NUMBER = re.compile(
    rf"(?<![\w.])(-?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?)(?:[\s-]?{_one_of(_UNITS)})?"
)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def fault(drawn: Drawing, taken: Cells, said: Iterable[str]) -> str:
    """What a figure says that is not so; empty where all is.

    :param taken: the cells that it took from records, and those that it returned
    :param said: all that is written in it
    """
    numbered = drawn.numbered
    ticks = {text for side in numbered for _, text in points.labels(side.axis)}
    faults = chain(
        *(_ticks(side, drawn.rows) for side in numbered),
        _references(drawn, [cell for _, cell in taken]),
        _exchanged([*_names(drawn), *_row_names(drawn)]),
        _numbers([text for text in said if text not in ticks], taken),
    )
    return next(faults, "")


def _numbers(texts: Iterable[str], taken: Cells) -> Iterator[str]:
    """Numbers in texts that are in no cell."""
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
                yield f"draws {match[0]!r}, which it took from no record"


def _quantity(match: re.Match[str], in_label: str = "") -> tuple[float, float, Unit]:
    """A number in base units, half a step of its last digit, and its unit.

    :param in_label: the unit of a number that has none beside it
    """
    digits = match[1].replace(",", "")
    unit, factor = _UNITS[match[2] or in_label]
    mantissa, _, power = digits.partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    return float(digits) * factor, 0.5 * 10.0**-places * factor, unit


def _ticks(side: Side, rows: Sequence[Row]) -> Iterator[str]:
    """Labels that are not the number of their place, in a unit of what is drawn."""
    cells = [cell for row in rows for cell in row.items()]
    shown = {name for name, cell in cells if side.places & side.shown([cell])}
    fitting = [unit_of(name) for name in shown]
    label = side.axis.get_label_text()
    in_label, *_ = *_IN_LABEL.findall(label), ""
    for place, text in points.labels(side.axis):
        own = place / side.unit
        match = _NUMBER.fullmatch(_digits(text))
        number, _, unit = _quantity(match, in_label) if match else (math.nan, 0, COUNT)
        fits = unit in fitting or (
            unit is COUNT and (RATIO in fitting or SHARE in fitting)
        )
        if not (abs(number - own) <= abs(own) / 100 and (fits or not shown)):
            drawn = " and ".join(sorted(shown)) or side.axis.axis_name
            yield f"labels {own:g} of {drawn} as {text!r}, where the axis says {label!r}"


def _digits(label: str) -> str:
    """The label of a tick without signs for powers, fractions and mathematics."""
    text = re.sub(r"[$\\{}]|mathdefault", "", label).replace("−", "-")
    text = str(numeric(text)) if text in {*"¼½¾"} else text
    return re.sub(r"^10\^?(?=[-⁻⁰¹²³⁴-⁹])", "1e", text).translate(_RAISED)


def _references(drawn: Drawing, cells: Sequence[Cell]) -> Iterator[str]:
    """References that are level at no measured value, nor at one, which is no change."""
    for line in drawn.axes.lines:
        if not points.is_reference(line) or line.get_label() == GIVEN["label"]:
            continue
        in_data = line.get_transform().contains_branch_seperately(drawn.axes.transData)
        along = [
            (side, {*line.get_xydata()[:, side.number]})
            for side in drawn.numbered
            if in_data[side.number]
        ]
        levels = [(side, *places) for side, places in along if len(places) == 1]
        if along and not levels:
            yield "draws a reference that is not level: draw it as GIVEN"
        for side, place in levels:
            values = (points.plain(cell)[:1] for cell in cells)
            known = {written(side.unit * n) for n in chain([1], *values)} | FREE
            if written(place) not in known:
                yield (
                    f"draws a reference at {written(place)}, which it took from no record: "
                    "take it from one, or draw it as GIVEN"
                )


def _names(drawn: Drawing) -> Iterator[Named]:
    """Texts that stand at points, and the words of each cell that is drawn there."""
    numbered = drawn.numbered
    for text in drawn.axes.texts:
        if getattr(text, "xycoords", "") != "data":
            continue
        named = [
            _words(name, *row.values())
            for row in drawn.rows
            for name, cell in row.items()
            for side in numbered
            if written(text.xy[side.number]) in side.shown([cell])
        ]
        if named:
            yield text.get_text(), named


def _row_names(drawn: Drawing) -> Iterator[Named]:
    """The labels of an axis of names, and the words of the rows that are drawn beside each."""
    for side, other in (drawn.sides, drawn.sides[::-1]):
        if points.has_numbers(side.axis):
            continue
        for place, text in points.labels(side.axis):
            beside = {
                written(point[other.number])
                for point in points.vertices(drawn.axes)
                if abs(point[side.number] - place) < 0.5
            }
            rows = [row for row in drawn.rows if beside & other.shown(row.values())]
            if rows:
                yield text, [_words("", *row.values()) for row in rows]


def _exchanged(named: Sequence[Named]) -> Iterator[str]:
    """Two names of which each would share more words with what the other names."""
    for (one, here), (other, there) in combinations(named, 2):
        as_drawn = _fit(one, here) + _fit(other, there)
        if as_drawn < _fit(one, there) + _fit(other, here):
            yield f"names {one!r} what fits {other!r} better: exchange them"


def _words(name: str, *cells: Cell) -> set[str]:
    """The words of a name, and of those cells that hold a text."""
    texts = (str(scalar(cell)) for cell in cells if isinstance(scalar(cell), str))
    return {*re.findall(r"[a-z0-9]+", " ".join([name, *texts]).lower())}


def _fit(text: str, named: Sequence[set[str]]) -> int:
    """How many words a text shares with what it may name."""
    return max(len(_words(text) & words) for words in named)
