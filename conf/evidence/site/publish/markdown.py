"""A page's doctree as Markdown, with the measured values in it.

For readers that are programs, and for pasting: sentences, code, tables and links; claims become
their sentence and a line with the verdict. Drawings are left out: their numbers stand below them.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes

from evidence.records.units import THIN_SPACE
from evidence.site.nodes import details, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_ALT = re.compile(r'<svg[^>]* aria-label="([^"]*)"')

#: What is for the eye or for navigation, and says nothing to a program.
SILENT = (
    nodes.comment,
    nodes.substitution_definition,
    nodes.system_message,
    nodes.target,
    addnodes.index,
    addnodes.toctree,
)


#: sphinx-gallery's node for the code of an example, whose names are links.
CODE_WITH_LINKS = "code_links_block"

#: Classes of what stands around a text for the eye: links to what ``llms.txt`` lists.
FOR_THE_EYE = {
    "sphx-glr-download-link-note",
    "sphx-glr-footer",
    "sphx-glr-timing",
    "toctree-wrapper",
}


class Markdown:
    """Turns the nodes of one page into Markdown.

    :param claim: gives the line of verdict of a claim by its id
    """

    def __init__(self, claim: Callable[[str], str]) -> None:
        self._claim = claim
        self._level = 0

    def page(self, doctree: nodes.document) -> str:
        """The whole page, ending in a newline."""
        text = self.blocks(doctree.children).replace(THIN_SPACE, "\u00a0")
        return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"

    def blocks(self, children: Iterable[nodes.Node]) -> str:
        """Blocks, with an empty line between them."""
        written = (self.block(child) for child in children)
        return "\n\n".join(text for text in written if text.strip())

    def block(self, node: nodes.Node) -> str:
        """One block; a container that is not known is its content."""
        if not isinstance(node, nodes.Element):
            return self.inline([node])
        if isinstance(node, SILENT) or FOR_THE_EYE.intersection(node["classes"]):
            return ""
        if node.tagname == CODE_WITH_LINKS:
            return self._code(node)
        for kind, write in self._writers():
            if isinstance(node, kind):
                return write(node)
        if isinstance(node, nodes.Inline):
            return self.inline([node])
        return self.blocks(node.children)

    def _writers(self) -> Iterable[tuple[Any, Callable[..., str]]]:
        yield nodes.section, self._section
        yield nodes.title, self._title
        yield nodes.rubric, lambda node: f"**{self.text(node)}**"
        yield nodes.paragraph, self._paragraph
        yield nodes.literal_block, self._code
        yield nodes.doctest_block, self._code
        yield nodes.bullet_list, lambda node: self._list(node, lambda _: "- ")
        yield (
            nodes.enumerated_list,
            lambda node: self._list(node, lambda n: f"{n}. "),
        )
        yield nodes.definition_list, self._definitions
        yield nodes.table, self._table
        yield nodes.raw, self._raw
        yield nodes.image, lambda node: _figure(node.get("alt", ""))
        yield nodes.Admonition, self._quote
        yield nodes.block_quote, self._quote
        yield details, self._details
        yield summary, lambda node: f"**{self.text(node)}**"
        yield nodes.container, self._container

    def _section(self, node: nodes.section) -> str:
        self._level += 1
        text = self.blocks(node.children)
        self._level -= 1
        return text

    def _title(self, node: nodes.title) -> str:
        text = self.text(node)
        of_section = isinstance(node.parent, nodes.section)
        return f"{'#' * self._level} {text}" if of_section else f"**{text}**"

    def _paragraph(self, node: nodes.paragraph) -> str:
        if "strip" in node["classes"]:
            return " · ".join(self.inline([item]) for item in node.children)
        return self.text(node)

    def _code(self, node: nodes.Element) -> str:
        language = str(node.get("language", node.get("lang", ""))).lower()
        language = "" if language in ("none", "text") else language
        return f"```{language}\n{node.astext().rstrip()}\n```"

    def _list(self, node: nodes.Element, mark: Callable[[int], str]) -> str:
        items = []
        for number, item in enumerate(node.children, 1):
            begin = mark(number)
            body = self.blocks(item.children if isinstance(item, nodes.Element) else ())
            items.append(begin + body.replace("\n", "\n" + " " * len(begin)))
        return "\n".join(items)

    def _definitions(self, node: nodes.definition_list) -> str:
        items = []
        for item in node.children:
            terms = [c for c in item.children if isinstance(c, nodes.term)]
            rest = [c for c in item.children if isinstance(c, nodes.definition)]
            name = ", ".join(self.text(term) for term in terms)
            body = self.blocks(rest).replace("\n", "\n  ")
            items.append(f"- **{name}**: {body}")
        return "\n".join(items)

    def _table(self, node: nodes.table) -> str:
        rows = [self._row(row) for row in node.findall(nodes.row)]
        if not rows:
            return ""
        width = max(len(row) for row in rows)
        filled = [row + [""] * (width - len(row)) for row in rows]
        head, *body = (f"| {' | '.join(row)} |" for row in filled)
        return "\n".join([head, "|" + " --- |" * width, *body])

    def _row(self, row: nodes.row) -> list[str]:
        cells = (self.blocks(cell.children) for cell in row.children)
        return [cell.replace("\n", " ").replace("|", "\\|") for cell in cells]

    def _raw(self, node: nodes.raw) -> str:
        """Of raw HTML only the alternative text of a drawing."""
        alt = _ALT.search(node.astext())
        return _figure(html.unescape(alt[1])) if alt else ""

    def _quote(self, node: nodes.Element) -> str:
        text = self.blocks(node.children)
        return "\n".join(f"> {line}".rstrip() for line in text.splitlines())

    def _details(self, node: details) -> str:
        """Of the numbers of a figure the table; its CSV says the same again."""
        shown = [c for c in node.children if not isinstance(c, nodes.literal_block)]
        return self.blocks(shown)

    def _container(self, node: nodes.container) -> str:
        if "claim" not in node["classes"] or not node["ids"]:
            return self.blocks(node.children)
        sentence = [c for c in node.children if not isinstance(c, details)]
        line = self._claim(node["ids"][0])
        return "\n\n".join([self.blocks(sentence), f"> {line}" if line else ""])

    def text(self, node: nodes.Node) -> str:
        """The inline content of a block on one line."""
        return " ".join(self.inline(node.children).split(" ")).replace("\n", " ")

    def inline(self, children: Iterable[nodes.Node]) -> str:
        """Inline nodes: emphasis, code, links, and text as it is."""
        return "".join(self._inline(child) for child in children)

    def _inline(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return node.astext()
        if isinstance(node, (*SILENT, nodes.raw)):
            return ""
        inner = self.inline(node.children)
        if isinstance(node, nodes.literal):
            return f"`{node.astext()}`"
        if isinstance(node, nodes.strong):
            return _marked(inner, "**")
        if isinstance(node, nodes.emphasis):
            return _marked(inner, "*")
        if isinstance(node, nodes.reference) and not _is_only_text(node):
            return f"[{inner}]({twin_of(node)})"
        return inner


def _marked(text: str, mark: str) -> str:
    """An emphasis; the spaces at its ends stand outside, or it would be none."""
    inner = text.strip()
    begin, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{begin}{mark}{inner}{mark}{end}" if inner else text


def _figure(alt: str) -> str:
    """A picture as what it shows; a thumbnail, which has no such text, as nothing."""
    return f"*Figure.* {alt}" if alt else ""


def _is_only_text(link: nodes.reference) -> bool:
    """Measured values, whose records are named below, and files that get other names."""
    download = isinstance(link, addnodes.download_reference)
    return download or "measured" in link["classes"]


def twin_of(link: nodes.reference) -> str:
    """Where a link goes; a page of this site is replaced by its Markdown."""
    uri = str(link.get("refuri", "")) or f"#{link.get('refid', '')}"
    if not link.get("internal") or "://" in uri:
        return uri
    page, mark, anchor = uri.partition("#")
    return page.removesuffix(".html") + ".md" * page.endswith(".html") + mark + anchor
