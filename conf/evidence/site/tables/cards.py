"""The pictures in the lists of examples: a figure, or for want of one what the example measured.

A list of pictures of which most are blank tells nobody anything; what such an example found is a
number. It is text, so that it follows the page's mode, and costs no request.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from docutils import nodes

from evidence.records.model import Cell, Plain, Raised, Table, Timing
from evidence.records.units import BANDWIDTH, COUNT, RATIO, SHARE, format_cell, unit_of
from evidence.site.domain import evidence_of
from evidence.site.nodes import paragraph, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

    from evidence.records.model import Record

#: So many characters fit into the place of a picture.
LONGEST = 12

#: What says most at a glance, first. Sizes and times are what an example was given, or cost.
TELLING = (RATIO, SHARE, BANDWIDTH, COUNT)

#: Counts that an example was given: how often it tried tells nobody what it found.
GIVEN = re.compile(
    r"(.*_)?(batches|blocks|calls|copies|processes|rounds|steps|tensors|threads|tries|workers)"
)

_THUMBNAIL = re.compile(r"sphx_glr_(?P<stem>\w+)_thumb\.\w+")


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Put a card in the place of each thumbnail whose example has a record, and no figure."""
    domain = evidence_of(app.env)
    for image in list(doctree.findall(nodes.image)):
        match = _THUMBNAIL.fullmatch(PurePosixPath(image["uri"]).name)
        example = domain.library.examples.get(match["stem"]) if match else None
        if example is None:
            continue
        # The list is read again when the example has another number, or a figure.
        domain.note_examples([example.stem])
        if example.record is not None and not example.record.figures:
            image.replace_self(card(example.record))


def card(record: Record) -> nodes.container:
    """The value of a record that says most, and what it is called."""
    name, cell = telling(record)
    value = format_cell(name, cell)
    if len(value) > LONGEST:  # an error's message, or another text
        value = f"{value[: LONGEST - 1]}…"
    label = name.removesuffix("_share").replace("_", " ")
    parts = nodes.strong(value, value), nodes.Text(" "), span(label)
    return nodes.container("", paragraph(*parts), classes=["card"])


def telling(record: Record) -> tuple[str, Cell]:
    """The value that says most: a ratio before a share, a rate or a count; a change before none.

    :raises ValueError: when the record holds no value
    """
    found = list(_values(record))
    if not found:
        raise ValueError(f"the record of {record.stem} holds no value")
    best = min(found, key=_rank)
    if _rank(best)[0] < len(TELLING):
        return best
    # The last case of some sweeps is the one in which nothing happens.
    return min(_values(record, slice(None)), key=_rank)


def _values(
    record: Record, rows: slice = slice(-1, None)
) -> Iterator[tuple[str, Cell]]:
    """Single values, and those of a sweep's last row, or of all.

    The last row is the largest size, or the case that the others lead to.
    """
    for name, value in sorted(record.measured.items()):
        if not isinstance(value, Table):
            yield name, value
            continue
        for row in value.rows[rows]:
            first, *columns = row.items()
            yield from columns or [first]


def _rank(found: tuple[str, Cell]) -> tuple[int, float]:
    name, cell = found
    unit = unit_of(name)
    if isinstance(cell, Raised) or not isinstance(_number(cell), (int, float)):
        return len(TELLING) + 1, 0
    told = unit in TELLING and not GIVEN.fullmatch(name)
    place = TELLING.index(unit) if told else len(TELLING)
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
