"""The ``formerly`` directive: what the notes of older versions said, and since when not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from evidence.site.diagnostics import Kind
from evidence.site.domain import Formerly, evidence_of
from evidence.site.reading.claims import plain
from evidence.site.words import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec


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
        versions, page = self.arguments[0], self.env.docname
        domain = evidence_of(self.env)
        for name in ("claim", "since"):
            if not self.options.get(name):
                message = f"formerly {versions!r} has no :{name}:"
                domain.note_problem(page, self.lineno, Kind.CLAIM, message)
                return []
        number = self.env.new_serialno("formerly") + 1
        about = Formerly(
            versions,
            "",
            self.options["claim"],
            self.options["since"],
            page,
            self.lineno,
            f"formerly-{number}",
        )
        label = _("Formerly, {versions}.").format(versions=versions)
        shown = nodes.container(
            classes=["formerly"], ids=[about.anchor], formerly=about
        )
        shown += nodes.strong(label, label)
        shown += self.parse_content_to_nodes()
        return [shown]


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Keep each note as it is shown, for the page of changes."""
    page = evidence_of(app.env).page(app.env.current_document.docname)
    for node in doctree.findall(nodes.container):
        if about := node.attributes.pop("formerly", None):
            page.formerly.append(replace(about, statement=plain(node)))
