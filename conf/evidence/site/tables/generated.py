"""The tables that the build makes: what is checked, covered, changed, and wrong in the notes."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.site.domain import evidence_of
from evidence.site.look.nodes import Fill, late
from evidence.site.tables.corrections import changes, corrections
from evidence.site.tables.counts import checked, clone, passes
from evidence.site.tables.coverage import coverage, documents
from evidence.site.tables.ledger import ledger, ledgers, totals
from evidence.site.tables.news import news
from evidence.site.tables.schema import schema
from evidence.site.tables.symptoms import symptoms

GENERATED: dict[str, Fill] = {
    "evidence-ledger": ledger,
    "evidence-ledgers": ledgers,
    "evidence-totals": totals,
    "evidence-checked": checked,
    "evidence-passes": passes,
    "evidence-clone": clone,
    "evidence-coverage": coverage,
    "evidence-documents": documents,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-symptoms": symptoms,
    "evidence-schema": schema,
    "evidence-news": news,
}


class GeneratedDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; lists can take a chapter's folder."""

    optional_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Mark the place, and the page as one that shows what others say."""
        evidence_of(self.env).reading.generated = True
        return [late(GENERATED[self.name], "".join(self.arguments))]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    for name in GENERATED:
        app.add_directive(name, GeneratedDirective)
    # The ledger's filters, behind what every page has.
    app.add_js_file("ledger.js", priority=600, loading_method="defer")
