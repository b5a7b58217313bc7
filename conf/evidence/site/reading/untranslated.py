"""What of a page has no translation, and is shown in English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages

from evidence.site.domain import evidence_of
from evidence.site.reading.values import measured


class MarkTexts(SphinxTransform):
    """Marks what stays English, also where a page has no catalog; what has no words is neither."""

    # Behind what makes claims of texts, before Sphinx counts them.
    default_priority = 24

    def apply(self, **_kwargs: object) -> None:
        """Do so in every language but English."""
        if self.config.language == "en":
            return
        for node, _message in extract_messages(self.document):
            if has_words(node):
                node.setdefault("translated", False)
            elif not node.get("translated"):
                node.attributes.pop("translated", None)


def has_words(node: nodes.Node) -> bool:
    """Whether a text has words of its own, beside code, values and the titles of other pages."""
    is_chosen = any("|" in value.astext() for value in node.findall(measured))
    return is_chosen or any(re.search(r"[^\W\d_]{2}", t) for t in _typed(node))


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note how much of a page is translated."""
    found = doctree.get("translation_progress", {"total": 0, "translated": 0})
    evidence_of(app.env).reading.progress = found["total"], found["translated"]


def _typed(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif not isinstance(node, (measured, nodes.literal)) and not (
        isinstance(node, pending_xref) and not node["refexplicit"]
    ):
        for child in node.children:
            yield from _typed(child)
