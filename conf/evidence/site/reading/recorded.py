"""The ``recorded`` directive: a recorded sweep as a table, or some of its columns and rows.

``:::{recorded} stem.by_call`` shows it whole; a long one has a field that finds rows. All its
values come from the record; the body, its caption, links to the claims that rest on them.
"""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from evidence.records.address import Address, AddressError, did_you_mean, lookup_table
from evidence.records.model import Row
from evidence.records.units import format_cell
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import MEASURED
from evidence.site.nodes import Inline, paragraph, table
from evidence.site.words import _

#: A table of so many rows has a field that finds some.
FILTERED_FROM = 15


class RecordedDirective(SphinxDirective):
    """A sweep as it was recorded: its first column is code, the others are measured.

    ``columns`` names those to show, ``where`` the rows, as ``column=value``; ``names`` gives the
    first column alone, as a line.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "columns": directives.unchanged_required,
        "where": directives.unchanged_required,
        "names": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The table with its caption."""
        domain = evidence_of(self.env)
        address = Address.of(self.arguments[0])
        domain.note_uses([address])
        if domain.library.lacks_record(address.stem):
            return [paragraph(nodes.emphasis("", _("not measured")))]
        try:
            rows = lookup_table(address, domain.library.records).rows
            shown = chosen(rows, *map(self.options.get, ("columns", "where")))
        except AddressError as error:
            what = f"{self.name} {str(address)!r}: {error}"
            domain.note_fault(Kind.PLOT, what, self.lineno)
            return []
        content = self.parse_content_to_nodes()
        caption = nodes.container("", *content, classes=["caption"])
        codes = [nodes.literal("", next(iter(row.values()))) for row in shown]
        if "names" in self.options:
            line = (part for code in codes for part in (code, " "))
            return [paragraph(*line, classes=["recorded-names"]), caption]
        header = [name.replace("_", " ") for name in shown[0]]
        cells: list[list[Inline]] = [
            [code, *list(row.values())[1:]]
            for code, row in zip(codes, shown, strict=True)
        ]
        filtered = ["filtered"] * (len(shown) >= FILTERED_FROM)
        words = ["words"] * any(" " in "".join([*row.values()][1:]) for row in shown)
        found = table(header, cells, *filtered, "recorded", *words, MEASURED)
        return [nodes.container("", found, caption, classes=["plot"], made=True)]


def chosen(
    rows: tuple[Row, ...], columns: str | None, where: str | None
) -> list[dict[str, str]]:
    """Some columns, by their names with commas, of the rows where a column has a value, in words.

    :raises AddressError: when there is no such column, or no such row
    """
    names = [name.strip() for name in columns.split(",")] if columns else [*rows[0]]
    key, _equal, value = (where or "").partition("=")
    for name in {*names, *filter(None, [key])} - rows[0].keys():
        raise AddressError(f"no column {name!r}{did_you_mean(name, rows[0])}")
    texts = ({name: format_cell(name, row[name]) for name in row} for row in rows)
    found = [row for row in texts if not key or row[key] == value]
    if not found:
        raise AddressError(f"no row where {where}")
    return [{name: row[name] for name in names} for row in found]
