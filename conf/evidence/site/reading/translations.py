"""What a translation has to keep of each text: its claims and values in order, and its numbers.

And what has no translation, which a page has in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages

from evidence.judge.wording import addresses
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.reading.prose import named
from evidence.site.reading.values import measured

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class NoteTexts(SphinxTransform):
    """Notes what each text has, before a translation replaces it."""

    default_priority = 19

    def apply(self, **_kwargs: object) -> None:
        """Keep it until :class:`CompareTexts` takes it out."""
        title = self.document.next_node(nodes.title)
        evidence_of(self.env).reading.title = title.astext() if title else ""
        texts = self.document.findall(nodes.TextElement)
        # What stands within a text is replaced with it.
        whole = (node for node in texts if not isinstance(node, nodes.Inline))
        self.document["noted"] = [(n, skeleton(n), numbers(n)) for n in whole]
        # Of two links of a text to one page, Sphinx would give both the anchor of the second.
        links = (
            self.document.findall(pending_xref) if self.config.language != "en" else ()
        )
        anchored = [link for link in links if "reftargetid" in link]
        found = [(link, link.attributes.pop("reftargetid")) for link in anchored]
        self.document["anchors"] = found


class CompareTexts(SphinxTransform):
    """Reports what a translation lost, exchanged or added, before its spans become claims."""

    default_priority = 21

    def apply(self, **_kwargs: object) -> None:
        """Compare each translated text with what was noted; its parts are told at its line."""
        domain = evidence_of(self.env)
        for link, anchor in self.document.attributes.pop("anchors"):
            link["reftargetid"] = anchor
        for node, before, known in self.document.attributes.pop("noted"):
            if not node.get("translated"):
                continue
            line = node.line or 1
            for part in node.findall(nodes.inline):
                part.line = line
            for value in node.findall(measured):
                value["line"] = line
            if (after := skeleton(node)) != before:
                message = (
                    f"the translation has {after!r} where its text has {before!r}: "
                    "keep claims and values, in their order"
                )
                domain.note_fault(Kind.CLAIM, message, line)
            if added := sorted(numbers(node) - known):
                message = f"the translation says {added[0]}, which its text does not"
                domain.note_fault(Kind.MARKUP, message, line)


class MarkTexts(SphinxTransform):
    """Marks what stays English, also where a page has no catalog; what has no words is neither."""

    # Behind what makes claims of texts, before Sphinx counts them.
    default_priority = 24

    def apply(self, **_kwargs: object) -> None:
        """Do so in every language but English."""
        if self.config.language == "en":
            return
        for node, _message in extract_messages(self.document):
            in_head = isinstance(node.parent, nodes.field)
            if has_words(node) and not in_head:
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


def skeleton(node: nodes.Node) -> str:
    """A text without its words: values, and spans that are claims or refer to one."""
    if isinstance(node, measured):
        return " of ".join(map(str, addresses(node.astext())))
    inside = " ".join(filter(None, map(skeleton, node.children)))
    if isinstance(node, nodes.inline) and (name := named(node)):
        return f"[{inside}]{{{name}}}"
    return inside


def numbers(node: nodes.Node) -> set[str]:
    """The numbers that are typed in a text, those of values and code left out."""
    return {number for text in _typed(node) for number in _NUMBER.findall(text)}


def _typed(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif not isinstance(node, (measured, nodes.literal)) and not (
        isinstance(node, pending_xref) and not node["refexplicit"]
    ):
        for child in node.children:
            yield from _typed(child)
