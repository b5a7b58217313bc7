"""Generated pages: the ledger, what changed, where the notes are wrong, the records' schema.

A page holds a placeholder; what stands there depends on all other pages, so it is filled in when
the page is written, after everything is read and judged.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from evidence.records.store import checksum
from evidence.site.domain import evidence_of
from evidence.site.tables.history import changes, corrections
from evidence.site.tables.ledger import ledger, totals
from evidence.site.tables.schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

    from evidence.site.domain import EvidenceDomain

    Fill = Callable[["Filler"], list[nodes.Node]]


class placeholder(nodes.General, nodes.Element):  # noqa: N801 - docutils names visitors after nodes
    """Where a generated table goes."""


class PlaceholderDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; they take nothing."""

    def run(self) -> list[nodes.Node]:
        """Mark the place."""
        evidence_of(self.env).data["generated"][self.env.docname] = self.name
        return [placeholder(kind=self.name)]


class Filler(SphinxPostTransform):
    """Puts the generated content where the placeholders stand."""

    default_priority = 5  # before references are resolved

    def run(self, **_: object) -> None:
        """Replace each placeholder of the page that is being written."""
        for node in list(self.document.findall(placeholder)):
            node.replace_self(GENERATED[node["kind"]](self))

    @property
    def domain(self) -> EvidenceDomain:
        """What the pages say, judged."""
        return evidence_of(self.env)

    def link(self, text: str, page: str, anchor: str = "") -> nodes.reference:
        """A link to a place on another page."""
        uri = self.app.builder.get_relative_uri(self.env.docname, page)
        target = f"{uri}#{anchor}" if anchor else uri
        return nodes.reference("", text, internal=True, refuri=target)

    def file(self, name: str) -> nodes.reference:
        """A link to a file at the root of the site."""
        depth = self.env.docname.count("/")
        return nodes.reference("", name, refuri="../" * depth + name)

    def title(self, page: str) -> str:
        """The title of a page."""
        return self.env.titles[page].astext() if page in self.env.titles else page


GENERATED: dict[str, Fill] = {
    "evidence-ledger": ledger,
    "evidence-totals": totals,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-schema": schema,
}


def on_html_page_context(
    app: Sphinx, pagename: str, _template: str, _context: object, _doctree: object
) -> None:
    """Load the ledger's filters on its page alone."""
    if evidence_of(app.env).data["generated"].get(pagename) == "evidence-ledger":
        app.add_js_file("ledger.js", loading_method="defer")


def outdated(app: Sphinx) -> list[str]:
    """The pages that show no longer what the last finished build wrote.

    Of the builders every page tells; of the claims only the generated ones.
    """
    domain, note = evidence_of(app.env), _note(app)
    domain.shown = f"{domain.builders}\n{_shown(app)}"
    before = note.read_text("utf-8").partition("\n") if note.exists() else ("", "", "")
    now = domain.shown.partition("\n")
    if before[0] != now[0]:
        return sorted(app.env.found_docs)
    return [] if before == now else sorted(domain.data["generated"])


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Remember what the generated pages show."""
    if exception is None:
        _note(app).write_text(evidence_of(app.env).shown, encoding="utf-8")


def _note(app: Sphinx) -> Path:
    return Path(app.doctreedir) / f"generated.{app.builder.name}"


def _shown(app: Sphinx) -> str:
    """A digest of all that generated pages are made from."""
    domain, titles = evidence_of(app.env), app.env.titles
    pages = [page for page in sorted(domain.data["claims"]) if page in titles]
    said = [*map(repr, domain.formerly), *(titles[page].astext() for page in pages)]
    published = json.dumps(domain.published, sort_keys=True)
    return checksum("\n".join([*said, published]).encode())


def setup_generated(app: Sphinx) -> None:
    """Register the placeholders and what fills them."""
    for name in GENERATED:
        app.add_directive(name, PlaceholderDirective)
    app.add_node(placeholder)
    app.add_post_transform(Filler)
    app.connect("html-page-context", on_html_page_context)
    app.connect("build-finished", on_build_finished)
