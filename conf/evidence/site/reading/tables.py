"""The ``recorded`` directive: a recorded sweep as a table, or some of its columns.

``:::{recorded} stem.by_call`` shows it whole; a long one has a field that finds rows. All its
values come from the record; the body, its caption, links to the claims that rest on them.
"""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from evidence.records.address import (
    Address,
    AddressError,
    NoRecordError,
    did_you_mean,
    lookup_table,
)
from evidence.records.model import Row
from evidence.records.units import format_cell
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import kinds
from evidence.site.look.nodes import paragraph, texts
from evidence.site.look.words import _

#: A table of so many rows has a field that finds some.
FILTERED_FROM = 15


class RecordedDirective(SphinxDirective):
    """A sweep as it was recorded: its first column is code; ``columns`` names those to show."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[OptionSpec] = {"columns": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The table with its caption."""
        domain = evidence_of(self.env)
        address = Address.of(self.arguments[0])
        domain.note_uses([address])
        try:
            rows = lookup_table(address, domain.site.library.records).rows
            header, cells = chosen(rows, self.options.get("columns"))
        except NoRecordError:
            return [paragraph(nodes.emphasis("", _("not measured")))]
        except AddressError as error:
            what = f"{self.name} {str(address)!r}: {error}"
            domain.note_fault(Kind.PLOT, what, self.lineno)
            return []
        found = texts(header, cells, *kinds(cells, FILTERED_FROM), code=True)
        content = self.parse_content_to_nodes()
        caption = nodes.container("", *content, classes=["caption"])
        return [nodes.container("", found, caption, classes=["plot"], made=True)]


def chosen(
    rows: tuple[Row, ...], columns: str | None
) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a table, of all columns or of those named, with commas.

    :raises AddressError: when there is no such column
    """
    names = [name.strip() for name in columns.split(",")] if columns else [*rows[0]]
    for name in names:
        if name not in rows[0]:
            raise AddressError(f"no column {name!r}{did_you_mean(name, rows[0])}")
    header = [name.replace("_", " ") for name in names]
    return header, [[format_cell(name, each[name]) for name in names] for each in rows]
