"""Directives of the generated tables: the ledger, what changed, where the notes are wrong."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.site.domain import evidence_of
from evidence.site.placeholder import Fill, late
from evidence.site.tables.checked import checked
from evidence.site.tables.coverage import coverage
from evidence.site.tables.history import changes, corrections
from evidence.site.tables.ledger import ledger, totals
from evidence.site.tables.schema import schema

GENERATED: dict[str, Fill] = {
    "evidence-ledger": ledger,
    "evidence-totals": totals,
    "evidence-checked": checked,
    "evidence-coverage": coverage,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-schema": schema,
}


class GeneratedDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; they take nothing."""

    def run(self) -> list[nodes.Node]:
        """Mark the place, and the page as one that shows what others say."""
        evidence_of(self.env).reading.generated = True
        return [late(GENERATED[self.name])]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    for name in GENERATED:
        app.add_directive(name, GeneratedDirective)
    # The ledger's filters, behind what every page has.
    app.add_js_file("ledger.js", priority=600, loading_method="defer")
