"""The ``measured`` role: a measured value in running text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from evidence.judge.claim import ClaimError
from evidence.judge.verdict import lookup
from evidence.records.units import format_cell
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.nodes import cross_reference

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message


class MeasuredRole(SphinxRole):
    """``{measured}`stem.name```: the value with its unit, linked to its record."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Print the value with as many digits as its interval allows."""
        address, page = self.text.strip(), self.env.docname
        stem = address.partition(".")[0]
        domain = evidence_of(self.env)
        domain.note_use(page, [address])
        domain.note_examples([stem])
        example = domain.library.examples.get(stem)
        if example is not None and example.record is None:
            # The missing record is reported once, at the example.
            return [nodes.emphasis("", "not measured")], []
        try:
            cell = lookup(address, domain.library.records)
        except ClaimError as error:
            domain.note_problem(page, self.lineno, Kind.CLAIM, str(error))
            return [nodes.problematic(self.rawtext, self.rawtext)], []
        text = format_cell(address.rpartition(".")[2], cell)
        link = cross_reference(text, f"evidence-{stem}", page)
        link["classes"] = ["measured"]
        return [link], []
