"""The ``formerly`` directive: what the notes of older versions said, and since when not."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from evidence.site.diagnostics import Kind
from evidence.site.domain import Formerly, evidence_of
from evidence.site.words import _


class FormerlyDirective(SphinxDirective):
    """What was said formerly: its argument the versions, its options the claim and since when."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "claim": directives.unchanged_required,
        "since": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Show it quietly, behind a label of its own: a translation replaces the text."""
        versions, domain = self.arguments[0], evidence_of(self.env)
        missing = [name for name in self.option_spec if name not in self.options]
        if missing:
            message = f"formerly {versions!r} has no :{missing[0]}:"
            domain.note_fault(Kind.CLAIM, message, self.lineno)
            return []
        anchor = f"formerly-{self.env.new_serialno('formerly') + 1}"
        page = self.env.docname
        note = Formerly(anchor, page, self.lineno, versions, **self.options)
        domain.reading.formerly.append(note)
        label = _("Formerly, {versions}.").format(versions=versions)
        content = nodes.strong(label, label), *self.parse_content_to_nodes()
        about = {"classes": ["formerly"], "ids": [anchor], "made": True}
        return [nodes.container("", *content, **about)]
