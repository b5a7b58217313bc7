"""Thumbnails of the examples that draw nothing: one measured value, as a picture.

A list of pictures of which most are blank tells nobody anything; what such an example found is a
number. The picture is a file of its own, so it cannot follow the page's mode: like the figures of
the other thumbnails it is dark on white.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from evidence.records.model import Cell, Plain, Raised, Table, Timing
from evidence.records.units import (
    BANDWIDTH,
    COUNT,
    RATIO,
    SHARE,
    THIN_SPACE,
    format_cell,
    unit_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evidence.records.model import Record

#: sphinx-gallery's own measure of a thumbnail.
WIDTH, HEIGHT = 400, 280
#: So many characters can still be read.
LONGEST = 20

#: What says most at a glance, first. Sizes and times are what an example was given, or cost.
TELLING = (RATIO, SHARE, BANDWIDTH, COUNT)


def card(record: Record) -> str:
    """An SVG with the value of a record that says most, and what it is called."""
    name, cell = telling(record)
    value = format_cell(name, cell).replace(THIN_SPACE, " ")
    if len(value) > LONGEST:  # an error's message, or another text
        value = f"{value[:LONGEST]}…"
    # A wide letter is about two thirds of its size.
    size = min(84, int(1.5 * (WIDTH - 40) / len(value)))
    words = wrap(name.removesuffix("_share").replace("_", " "), 17)[:2]
    lines = "".join(
        f'<text x="24" y="{188 + 50 * line}" font-size="40" fill="#5c6370">{escape(text)}</text>'
        for line, text in enumerate(words)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<text x="24" y="112" font-size="{size}" font-weight="600" fill="#0b6b53">'
        f"{escape(value)}</text>{lines}</svg>\n"
    )


def telling(record: Record) -> tuple[str, Cell]:
    """The value that says most: a ratio before a share, a rate or a count; a change before none.

    :raises ValueError: when the record holds no value
    """
    found = list(_values(record))
    if not found:
        raise ValueError(f"the record of {record.stem} holds no value")
    return min(found, key=_rank)


def _values(record: Record) -> Iterator[tuple[str, Cell]]:
    for name, value in sorted(record.measured.items()):
        if not isinstance(value, Table):
            yield name, value
            continue
        # The last row is the largest size, or the case that the others lead to.
        first, *columns = value.rows[-1].items()
        yield from columns or [first]


def _rank(found: tuple[str, Cell]) -> tuple[int, float]:
    name, cell = found
    unit = unit_of(name)
    if isinstance(cell, Raised) or not isinstance(_number(cell), (int, float)):
        return len(TELLING) + 1, 0
    place = TELLING.index(unit) if unit in TELLING else len(TELLING)
    number = float(_number(cell))
    # 1 and 0 are what would be there if nothing had happened.
    change = abs(number - (1.0 if unit is RATIO else 0.0))
    return place if change > 0.05 or unit is COUNT else len(TELLING), -change


def _number(cell: Cell) -> float | str:
    match cell:
        case Timing():
            return cell.value
        case Plain(value=value) if not isinstance(value, bool):
            return value
    return ""
