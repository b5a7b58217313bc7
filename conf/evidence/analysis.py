"""What the cells of an analysis page use: measured values, and tables and figures made of them.

An analysis page is a notebook that the build runs in a kernel. The kernel knows neither Sphinx nor
torch, and so does this module: it works as well in a notebook that a reader runs at home, on the
``claims.json`` of the site. ::

    pinned = load("pinned_copy_is_faster")
    show_table(["Do", "Calls"], [(claim("pinned-copy-is-faster", "pin it"), pinned.value("calls"))])

The build reads from a page's source which records it loads, and runs it again when one changes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from evidence.figures.drawing import drawing, paint
from evidence.judge.verdict import lookup, lookup_table
from evidence.records import sources
from evidence.records.model import Cell, Interval, Plain, Timing, row_key, scalar
from evidence.records.units import format_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from evidence.records.model import Builder, Measured

__all__ = ["claim", "computed", "draw", "load", "show_table"]

#: The inks of a figure outside the site: its light mode.
_INKS = (
    "--color-foreground-primary:#000;--plot-muted:#5c6370;--plot-grid:#e9ebee;--plot-1:#0b6b53;"
    "--plot-2:#9a5b13;--plot-3:#1f5fa8;--plot-4:#9b3a78;--font-stack:sans-serif;background:#fff"
)


@dataclass(frozen=True)
class Quantity:
    """A measured or computed value; in a table of the site a measured one links to its record."""

    address: str
    cell: Cell

    @property
    def value(self) -> Any:
        """A number, boolean or string: of a timing the median of the processes."""
        return scalar(self.cell)

    @property
    def interval(self) -> Interval:
        """The interval of a timing; of any other number just that number."""
        if isinstance(self.cell, Timing):
            return self.cell.interval
        return Interval(self.value, self.value)

    @property
    def processes(self) -> tuple[float, ...]:
        """What each process of a timing gave, in the order in which they ran."""
        return self.cell.median if isinstance(self.cell, Timing) else (self.value,)

    def __str__(self) -> str:
        return format_cell(self.address.rpartition(".")[2], self.cell)


@dataclass(frozen=True)
class Link:
    """Words that lead to a claim."""

    claim: str
    words: str


#: What stands in a table's cell: Markdown, a value, a link, or several of these in a row.
Piece: TypeAlias = "str | Quantity | Link"
Entry: TypeAlias = "Piece | tuple[Piece, ...]"


@dataclass(frozen=True)
class Recorded:
    """What one example measured."""

    record: Measured

    @property
    def builder(self) -> Builder:
        """The machine of the record."""
        return self.record.builder

    def value(self, name: str) -> Quantity:
        """A single value: ``value("calls")``, or of a sweep ``value("by_size[size=4].speedup")``.

        :raises ~evidence.judge.claim.ClaimError: when nothing was measured under this name
        """
        address = f"{self.record.stem}.{name}"
        return Quantity(address, lookup(address, {self.record.stem: self.record}))

    def rows(self, name: str) -> list[dict[str, Quantity]]:
        """The rows of a sweep, each a value by the name of its column.

        :raises ~evidence.judge.claim.ClaimError: when no sweep was measured under this name
        """
        address = f"{self.record.stem}.{name}"
        table = lookup_table(address, {self.record.stem: self.record})
        return [
            {
                column: Quantity(f"{address}[{row_key(row)}].{column}", cell)
                for column, cell in row.items()
            }
            for row in table.rows
        ]


class Shown:
    """A table or figure: Markdown for the site, HTML for any other notebook."""

    def __init__(self, markdown: str, html: str) -> None:
        self.markdown = markdown
        self.html = html

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/markdown": self.markdown, "text/html": self.html}

    def __repr__(self) -> str:
        return "shown in a notebook"


def load(stem: str) -> Recorded:
    """What the example of this name measured. Write the name as a literal: the build looks for it.

    It comes from the build, from the nearest folder ``examples/`` with records, or from the nearest
    ``claims.json``.

    :raises LookupError: when there is no such example, or nothing to look for it in
    :raises ~evidence.records.store.RecordError: when its record or ``claims.json`` cannot be used
    """
    return Recorded(sources.load(stem))


def computed(name: str, processes: Iterable[float]) -> Quantity:
    """A value computed from what each process of a record gave, with the interval that follows.

    :param name: states the unit by its suffix, as a measured name does
    """
    medians = tuple(float(value) for value in processes)
    count = len(medians)
    return Quantity(name, Timing(medians, iqr=(0.0,) * count, n=(1,) * count))


def claim(claim_id: str, words: str) -> Link:
    """A link to a claim, for a table."""
    return Link(claim_id, words)


def show_table(
    header: Sequence[str], rows: Iterable[Sequence[Entry]], style: str = "analysis"
) -> Shown:
    """A table, as the last value of a cell.

    :param style: the class of the table
    """
    body = [list(row) for row in rows]
    lines = ["| " + " | ".join(map(_markdown, row)) + " |" for row in (header, *body)]
    lines.insert(1, "|" + " --- |" * len(header))
    markdown = "\n".join(["```{table}", f":class: {style}", "", *lines, "```"])
    parts = [_html_row("th", header), *(_html_row("td", row) for row in body)]
    return Shown(markdown, f"<table>{''.join(parts)}</table>")


def _pieces(entry: Entry) -> tuple[Piece, ...]:
    return entry if isinstance(entry, tuple) else (entry,)


def _markdown(entry: Entry) -> str:
    text = "".join(_markdown_piece(piece) for piece in _pieces(entry))
    return " ".join(text.split(" ")).replace("\n", " ").replace("|", r"\|")


def _markdown_piece(piece: Piece) -> str:
    if isinstance(piece, Link):
        return f"[{piece.words}](#{piece.claim})"
    if isinstance(piece, Quantity) and "." in piece.address:
        return f"{{measured}}`{piece.address}`"
    return str(piece)


def _html_row(tag: str, entries: Sequence[Entry]) -> str:
    def text(piece: Piece) -> str:
        return escape(piece.words if isinstance(piece, Link) else str(piece))

    cells = ("".join(map(text, _pieces(entry))) for entry in entries)
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def draw(
    painter: Callable[[Any], Sequence[Mapping[str, Any]]],
    *,
    alt: str,
    caption: str = "",
) -> Shown:
    """A figure in the site's style, as the last value of a cell.

    :param painter: draws on the axes it is given, and returns the numbers that it drew as rows;
        they stand below the figure. Its name is the figure's
    :param alt: what the figure shows, in words
    :param caption: Markdown
    """
    svg, drawn = paint(lambda axes: [_cells(row) for row in painter(axes)])
    name = painter.__name__
    if not drawn or not alt:
        raise ValueError(f"{name}() must return what it drew, and alt say what is seen")
    figure = drawing(name, alt, svg, drawn)
    data = json.dumps(asdict(figure), ensure_ascii=False)
    markdown = f"``````{{drawing}}\n{data}\n{caption}\n``````"
    return Shown(markdown, f'<div style="{_INKS}">{figure.svg}</div>')


def _cells(row: Mapping[str, Any]) -> dict[str, Cell]:
    def cell(value: Any) -> Cell:
        if isinstance(value, Quantity):
            return value.cell
        return value if isinstance(value, Cell) else Plain(value)

    return {name: cell(value) for name, value in row.items()}
