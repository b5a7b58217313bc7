"""What is filled in when a page is written, because it depends on all others.

The tables that the build makes: what is checked, covered, changed, and wrong in the notes.
"""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evidence.site.domain import evidence_of
from evidence.site.look.nodes import Fill, late
from evidence.site.tables import asked, corrections, counts, indexes, ledger, news

_FILLS: tuple[Fill, ...] = (
    *(ledger.ledger, ledger.ledgers, indexes.documents, indexes.coverage),
    *(counts.checked, counts.clone, counts.passes, counts.quote, counts.schema),
    counts.signed,
    *(
        counts.totals,
        corrections.changes,
        corrections.corrections,
        indexes.symptoms,
        news.news,
        asked.questions,
    ),
)
#: By the names of their directives, such as ``evidence-ledger``.
GENERATED = {f"evidence-{fill.__name__}": fill for fill in _FILLS}


class GeneratedDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; lists can take a chapter's folder."""

    optional_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Mark the place, and the page as one that shows what others say."""
        evidence_of(self.env).reading.generated = True
        return [late(GENERATED[self.name], "".join(self.arguments))]
