"""Tables whose rows may be claims: a sweep from its record, and where a row shows its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import Claim
from evidence.judge.shown import exchanged_headings
from evidence.records.address import (
    Address,
    AddressError,
    NoRecordError,
    did_you_mean,
    lookup_table,
)
from evidence.records.model import Cell, Plain, Row, row_key
from evidence.records.units import format_cell
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import kinds
from evidence.site.look.nodes import (
    Fill,
    late,
    made,
    paragraph,
    row,
    span,
    table,
    texts,
)
from evidence.site.look.panel import tick_of_row
from evidence.site.look.words import _

#: A table of so many rows has a field that finds some.
FILTERED_FROM = 15
OPTIONS = ("columns", "row", "find", "join")

_OPTION = re.compile(r":([\w-]+):\s*(.*)")
_CODE = re.compile("`[^`]*`")
#: A row, perhaps with its words, and the claim that it is or refers to.
_ROW = re.compile(r"^(.*?)\s*(\{[#.][^{}]*\})?$")
_CLAIM = re.compile(r"\{(#|\.row \.)[a-z][a-z0-9-]*\}|")


class RecordedDirective(SphinxDirective):
    """``{recorded} stem.by_size``: a sweep, all of it, and its first column as code.

    ``:columns: size as rows, copy_s as time`` names the columns to show, and their headings,
    which a name with ``_`` needs; they may hold markup.
    ``:row: size=256 as a small one {#its-id}``, once for each row to show, makes it a claim, and
    ``{.row .its-id}`` refers to one. ``:find: words`` are what the field above a long table looks
    for at first. ``:join: stem.by_size as old`` adds a sweep with the same first column, whose
    columns are then ``old.copy_s``. The body, its caption, links to the claims that rest on it.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """The table with its caption."""
        domain = evidence_of(self.env)
        address = Address.of(self.arguments[0])
        options = self._options()
        added = options.get("join", "").partition(" as ")[0]
        domain.note_uses(Address.of(each) for each in (str(address), added) if each)
        try:
            shown = self._table(address, options)
        except NoRecordError:
            return [paragraph(nodes.emphasis("", _("not measured")))]
        except AddressError as error:
            what = f"{self.name} {str(address)!r}: {error}"
            domain.note_fault(Kind.PLOT, what, self.lineno)
            return []
        content = self.parse_content_to_nodes()
        caption = nodes.container("", *content, classes=["caption"])
        return [nodes.container("", shown, caption, classes=["plot"], made=True)]

    def _options(self) -> dict[str, str]:
        """Those at the beginning of the content: docutils knows none that stands several times."""
        found = dict[str, str]()
        while self.content and (match := _OPTION.fullmatch(self.content[0])):
            name, text = match.groups()
            found[name] = f"{found[name]}\n{text}" if name in found else text
            self.content = self.content[1:]
            self.content_offset += 1
        return found

    def _table(self, address: Address, options: Mapping[str, str]) -> nodes.Node:
        """The sweep, all of it or the rows that are named.

        :raises AddressError: when an option, a column or a row is none
        """
        records = evidence_of(self.env).site.library.records
        rows: Sequence[Row] = lookup_table(address, records).rows
        for unknown in options.keys() - {*OPTIONS}:
            raise AddressError(f"no option {unknown!r} (known: {', '.join(OPTIONS)})")
        if "join" in options:
            other, _as, name = options["join"].partition(" as ")
            if "row" in options or not name:
                raise AddressError("write ':join: stem.sweep as name', without ':row:'")
            rows = joined(rows, lookup_table(Address.of(other), records).rows, name)
        columns = headings(rows[0], options.get("columns", ""))
        heads = [self._words(text) for text in columns.values()]
        if "row" in options:
            keyed = {row_key(row): row for row in rows}
            named = [*chosen(options["row"].splitlines(), keyed)]
            cells = _cells(columns, [keyed[key] for key, _words, _claim in named])
            return self._claims(address, [*columns], heads, named, cells)
        cells = _cells(columns, rows)
        found = [f"find-{word}" for word in options.get("find", "").split()]
        return texts(heads, cells, *kinds(cells, FILTERED_FROM), *found, code=True)

    def _claims(
        self,
        address: Address,
        columns: Sequence[str],
        heads: Sequence[nodes.paragraph],
        named: Sequence[tuple[str, str, str]],
        cells: Sequence[Sequence[str]],
    ) -> nodes.table:
        """A table of rows that are claims, or refer to some; their values are roles."""
        rows = list[nodes.row]()
        for (key, words, claim), (name, *_more) in zip(named, cells, strict=True):
            at = f"{address}[{key}]"
            first, *others = (f"{{measured}}`{at}.{column}`" for column in columns)
            code = f"`{name}`" if re.fullmatch(r"[A-Za-z]\S*", name) else first
            said = self._words(f"[{words or code}]{claim}" if claim else words or code)
            rows.append(row([said, *(self.parse_inline(text)[0] for text in others)]))
            rows[-1]["sweep"] = at
        return table(heads, rows, *kinds(cells, len(cells) + 1))

    def _words(self, text: str) -> nodes.paragraph:
        """A heading, or the first cell of a row: words, which a translation has."""
        said = nodes.paragraph(text, "", *self.parse_inline(text)[0])
        self.set_source_info(said)
        return said


def _cells(columns: Iterable[str], rows: Iterable[Row]) -> list[list[str]]:
    return [[format_cell(n, row[n], say=_) for n in columns] for row in rows]


def joined(rows: Sequence[Row], others: Sequence[Row], name: str) -> list[Row]:
    """The rows of two sweeps, by their first columns; empty where one has no such row.

    :param name: stands before the names of the columns of the second
    :raises AddressError: when their first columns are not the same
    """
    key = next(iter(rows[0]))
    if next(iter(others[0])) != key:
        raise AddressError(f"the first column of what is joined is not {key!r}")
    columns = [*rows[0], *(f"{name}.{column}" for column in others[0])]
    empty: dict[str, Cell] = dict.fromkeys(columns, Plain(""))
    found = {row_key(row): {**empty, **row} for row in rows}
    for other in others:
        whole = found.setdefault(row_key(other), {**empty, key: other[key]})
        whole |= {f"{name}.{column}": cell for column, cell in other.items()}
    return [*found.values()]


def headings(first: Row, columns: str) -> dict[str, str]:
    """The columns to show with their headings: all, or those named, with commas.

    :raises AddressError: when a column is none or has no heading, or two have each other's
    """
    found = {}
    for named in columns.split(",") if columns else first:
        name, _as, heading = named.strip().partition(" as ")
        if name not in first:
            raise AddressError(f"no column {name!r}{did_you_mean(name, first)}")
        found[name] = heading.strip() or name
        if "_" in _CODE.sub("", found[name]):
            message = f"column {name!r} has no heading: write '{name} as …'"
            raise AddressError(message)
    for one, two in exchanged_headings(found):
        raise AddressError(f"{one!r} and {two!r} have each other's headings")
    return found


def chosen(lines: Iterable[str], rows: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """The rows that are named: of each its key, its words, and the claim behind them.

    :param rows: the keys of all rows
    :raises AddressError: when there is no such row, or it stands twice
    """
    left, given = [*rows], set[str]()
    for line in lines:
        ((text, claim),) = _ROW.findall(line.strip())
        if not _CLAIM.fullmatch(claim):
            raise AddressError(f"write {{#its-id}} or {{.row .its-id}}, not {claim!r}")
        # A value may have an "as" of its own.
        fits = (key for key in left if text == key or text.startswith(f"{key} as "))
        key = max(fits, key=len, default="")
        name = text.partition(" as ")[0]
        if not key:
            raise AddressError(f"no row {name!r}{did_you_mean(name, left)}")
        if key in given:
            raise AddressError(f"the row {key!r} stands twice")
        given.add(key)
        yield key, text.removeprefix(key).removeprefix(" as ").strip(), claim


def faults_of_row(row: nodes.row, claim: Claim, *, refers: bool) -> Iterator[str]:
    """What is wrong with a claim, or a reference to one, in a row."""
    if not (refers or claim.title):
        yield f"claim {claim.id!r} is a row: write its sentence as ':title:'"
    sweep = row.get("sweep", "")
    if sweep and not any(str(a).startswith(f"{sweep}.") for a in claim.addresses):
        yield f"claim {claim.id!r} checks nothing of its row, {sweep}"


def into_row(row: nodes.row, name: str, panel: Fill) -> None:
    """A tick at the end of a row, and below it the row that its evidence opens in.

    Of a row of a sweep, the evidence tells its values alone.
    """
    subject = f"{name} {row['sweep']}" if "sweep" in row else name
    group = row.parent.parent
    if "claims" not in group.parent["classes"]:
        group.parent["classes"].append("claims")
        group.insert(0, nodes.colspec(colwidth=1))
        group["cols"] += 1
        head, *rows = group.findall(nodes.row)
        hidden = made(span(_("evidence"), "visually-hidden"))
        head.append(nodes.entry("", paragraph(hidden)))
        for each in rows:
            each.append(made(nodes.entry("", classes=["tick"])))
    row["classes"].append("row")
    [*row.findall(nodes.entry)][-1].append(late(tick_of_row, name))
    width = group["cols"] - 1
    cell = nodes.entry("", late(panel, subject), morecols=width)
    body = row.parent
    body.insert(body.index(row) + 1, made(nodes.row("", cell, classes=["opened"])))
