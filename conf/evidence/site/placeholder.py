"""What is filled in when a page is written, because it depends on all other pages.

Claims are judged once, when every page is read. What shows a verdict, or what other pages say, is
a placeholder until then, which names the function that fills it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

from evidence.judge.claim import Claim
from evidence.site.domain import EvidenceDomain, evidence_of

Fill: TypeAlias = "Callable[[Filler, str], Sequence[nodes.Node]]"


class placeholder(nodes.General, nodes.Element):  # noqa: N801 - docutils names visitors after nodes
    """Where something goes: ``fill`` gives it, told the ``subject``, such as a claim's id."""


def late(fill: Fill, subject: str = "") -> placeholder:
    """A placeholder that this function fills; it is a module's own, so that it can be pickled."""
    return placeholder("", fill=fill, subject=subject)


class Filler(SphinxPostTransform):
    """Puts the content where the placeholders stand."""

    default_priority = 5  # before references are resolved

    def run(self, **_: object) -> None:
        """Replace each placeholder of the page that is being written."""
        for node in list(self.document.findall(placeholder)):
            node.replace_self(list(node["fill"](self, node["subject"])))

    @property
    def domain(self) -> EvidenceDomain:
        """What the pages say, judged."""
        return evidence_of(self.env)

    @property
    def page(self) -> str:
        """The page that is being written."""
        return self.env.current_document.docname

    def link(self, text: str, page: str, anchor: str = "") -> nodes.reference:
        """A link to a place on another page."""
        uri = relative_uri(f"{self.page}.html", f"{page}.html")
        target = f"{uri}#{anchor}" if anchor else uri
        return nodes.reference("", text, internal=True, refuri=target)

    def claim(self, claim: Claim) -> nodes.reference:
        """A link to a claim, by its sentence."""
        return self.link(self.domain.sentence(claim), claim.page, claim.id)

    def statements(self, names: Iterable[str]) -> list[nodes.Node]:
        """Links to statements of upstream, where they stand."""
        found = (self.domain.upstream[n] for n in names if n in self.domain.upstream)
        return [nodes.reference("", f"{s.page} ", refuri=s.address) for s in found]

    def title(self, page: str) -> str:
        """The title of a page."""
        return self.env.titles[page].astext() if page in self.env.titles else page


def file_link(text: str, path: str, page: str) -> nodes.reference:
    """A link from a page to a file of the site, by its path from the site's root."""
    uri = "../" * page.count("/") + path
    return nodes.reference("", text, refuri=uri)


def setup(app: Sphinx) -> None:
    """Register the node and what replaces it."""
    app.add_node(placeholder)
    app.add_post_transform(Filler)
