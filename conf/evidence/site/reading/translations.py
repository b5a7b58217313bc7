"""What a translation has to keep of each text: its claims and values, and its numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

from evidence.judge.chinese import is_chinese
from evidence.judge.choices import is_reversed
from evidence.judge.wording import addresses, wordings
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above
from evidence.site.reading import chinese
from evidence.site.reading.prose import named
from evidence.site.reading.quantities import CODE, VALUE
from evidence.site.reading.values import measured

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: Where on a page a link of MyST leads.
_ANCHOR = "reftargetid"

KEEP = "keep claims, links and values, each value in its claim"
REVERSED = (
    "the translation of {!r} is {!r}: keep the order of a count's words; label those of a truth, "
    "'true: … | false: …', and deny what the text denies"
)
SAYS = "the translation says {}, which its text does not"


class Noted(NamedTuple):
    """What a text has before it is translated."""

    parts: Counter[str]
    choices: dict[str, tuple[str, ...]]
    words: str


class NoteTexts(SphinxTransform):
    """Notes what each text has, before a translation replaces it."""

    default_priority = 19

    def apply(self, **_kwargs: object) -> None:
        """Keep it until :class:`CompareTexts` takes it out."""
        texts = self.document.findall(nodes.TextElement)
        # What stands within a text is replaced with it.
        whole = (node for node in texts if not isinstance(node, nodes.Inline))
        self.document["noted"] = [(node, noted(node)) for node in whole]
        # Sphinx gives the links of a translation what those of its text have, by their page alone:
        # of two links to one page, both would lead to the anchor of the last.
        links = self.document.findall(addnodes.pending_xref)
        anchored = [link for link in links if _ANCHOR in link]
        self.document["anchors"] = [(n, n.attributes.pop(_ANCHOR)) for n in anchored]


class CompareTexts(SphinxTransform):
    """Reports what a translation lost, exchanged or added, before its spans become claims."""

    default_priority = 21

    def apply(self, **_kwargs: object) -> None:
        """Compare each translated text with what was noted; its parts are told at its line."""
        domain = evidence_of(self.env)
        for link, anchor in self.document.attributes.pop("anchors"):
            link[_ANCHOR] = anchor
        # What Sphinx parsed of a translation belongs to a document of its own, and that holds the
        # settings: with them, each page that is kept would be a hundred times as large.
        for node in self.document.findall():
            node.document = self.document
        for node, before in self.document.attributes.pop("noted"):
            if not node.get("translated"):
                continue
            lines = (box.line for box in (node, *above(node)))
            line = next(filter(None, lines), 1)
            for part in node.findall(nodes.inline):
                part.line = line
            for value in node.findall(measured):
                value["line"] = line
            for kind, message in faults(before, noted(node)):
                domain.note_fault(kind, message, line)


def faults(before: Noted, after: Noted) -> Iterator[tuple[Kind, str]]:
    """What a translation lacks, or says besides."""
    lost, more = before.parts - after.parts, after.parts - before.parts
    changes = {"lacks": lost, "adds": more}
    told = [f"{do} {', '.join(sorted(n.elements()))}" for do, n in changes.items() if n]
    if told:
        yield Kind.CLAIM, f"the translation {' and '.join(told)}: {KEEP}"
    for address, words in after.choices.items():
        own = before.choices.get(address, words)
        if words != own and is_reversed(own, words):
            yield Kind.CLAIM, REVERSED.format(" | ".join(own), " | ".join(words))
    # What the text says in words may be in digits: two GPUs.
    known = chinese.values(before.words)
    typed = numbers(after.words) - numbers(before.words)
    added = sorted(each for each in typed if chinese.amount(each) not in known)
    if not added and is_chinese(after.words):
        added = [*chinese.typed(after.words, before.words)]
    if added:
        yield Kind.MARKUP, SAYS.format(added[0])


def noted(node: nodes.Element) -> Noted:
    """What a text has, in any language."""
    values = [value.astext() for value in node.findall(measured)]
    choices = {_target(text): words for text in values if (words := wordings(text))}
    said = ["".join(_said(node)), *(text for each in choices.values() for text in each)]
    return Noted(Counter(parts(node)), choices, "\n".join(said))


def parts(node: nodes.Node, within: str = "") -> Iterator[str]:
    """A text without its words: values, and spans that are claims or refer to one.

    :param within: the span that holds the node, as each part of it says
    """
    if isinstance(node, measured):
        yield f"{_target(node.astext())}{within}"
        return
    if isinstance(node, addnodes.pending_xref) and _ANCHOR in node:
        yield f"a link to {node['reftarget']}#{node[_ANCHOR]}"
    if isinstance(node, nodes.inline) and (name := named(node)):
        yield f"{{{name}}}{within}"
        within = f" in {{{name}}}"
    for child in node.children:
        yield from parts(child, within)


def _target(role: str) -> str:
    return " of ".join(map(str, addresses(role)))


def numbers(text: str) -> set[str]:
    """The numbers that are typed in a text."""
    return {*_NUMBER.findall(text)}


def _said(node: nodes.Node) -> Iterator[str]:
    """The words of a text, with a character each for values and code."""
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif isinstance(node, (measured, nodes.literal)):
        yield VALUE if isinstance(node, measured) else CODE
    else:
        for child in node.children:
            yield from _said(child)
