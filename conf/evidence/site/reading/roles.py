"""The ``measured`` role: a measured value in running text."""

from __future__ import annotations

from docutils import nodes
from docutils.nodes import Node, system_message
from sphinx.util.docutils import SphinxRole

from evidence.records.address import Address, AddressError, lookup
from evidence.records.units import format_cell
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.nodes import cross_reference
from evidence.site.words import _


class MeasuredRole(SphinxRole):
    """``{measured}`stem.name```: the value with its unit, linked to its record."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Print the value with as many digits as its interval allows."""
        address, domain = Address.of(self.text), evidence_of(self.env)
        domain.note_uses([address])
        example = domain.library.examples.get(address.stem)
        if example is not None and example.record is None:
            # The missing record is reported once, at the example.
            return [nodes.emphasis("", _("not measured"))], []
        try:
            cell = lookup(address, domain.library.records)
        except AddressError as error:
            domain.note_fault(Kind.CLAIM, str(error), self.lineno)
            return [nodes.problematic(self.rawtext, self.rawtext)], []
        text = format_cell(address.quantity, cell)
        link = cross_reference(text, f"evidence-{address.stem}", self.env.docname)
        link["classes"] = ["measured"]
        return [link], []
