"""A page's doctree as Markdown, with the measured values in it.

For readers that are programs, and for pasting: sentences, code, tables and links; claims become
their sentence and a line with all of their evidence. Drawings are left out: their numbers stand
below them.

A library was tried in its place, sphinx-markdown-builder: its tables read "1.40" as a number and
print "1.4", and it took six times as long.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from evidence.records.units import THIN_SPACE
from evidence.site.look.nodes import above, details
from evidence.site.look.words import _

_ALT = re.compile(r'<svg[^>]* aria-label="([^"]*)"')

#: Nodes and classes of what is for the eye or for navigation, and says nothing to a program.
SILENT = {
    "comment",
    "system_message",
    "toctree-wrapper",
    "more",
    # sphinx-gallery's links to what llms.txt lists.
    "sphx-glr-download-link-note",
    "sphx-glr-footer",
    "sphx-glr-timing",
}


class Markdown:
    """Turns the nodes of one page into Markdown; each method writes the node of its name."""

    def page(self, doctree: nodes.document) -> str:
        """The whole page, ending in a newline."""
        text = self.write(doctree).replace(THIN_SPACE, "\u00a0")
        return re.sub(r" +\n", "\n", f"{text.strip()}\n")

    def write(self, node: nodes.Node) -> str:
        """One node; one that is not known is its content."""
        if not isinstance(node, nodes.Element):
            return node.astext().replace("\n", " ")
        if SILENT.intersection([node.tagname, *node["classes"]]):
            return ""
        name = "block_quote" if isinstance(node, nodes.Admonition) else node.tagname
        writer: Callable[[nodes.Element], str]
        writer = getattr(self, f"_{name}", self._content)
        return writer(node)

    def _content(self, node: nodes.Element) -> str:
        if isinstance(node, (nodes.TextElement, nodes.Inline)):
            return "".join(map(self.write, node.children))
        return self._blocks(node.children)

    def _blocks(self, children: Iterable[nodes.Node]) -> str:
        """Blocks, with an empty line between them."""
        written = map(self.write, children)
        return "\n\n".join(text for text in written if text.strip())

    def _title(self, node: nodes.Element) -> str:
        if not isinstance(node.parent, nodes.section):
            return self._strong(node)
        level = sum(isinstance(box, nodes.section) for box in above(node))
        return f"{'#' * level} {self._content(node)}"

    def _literal_block(self, node: nodes.Element) -> str:
        language = str(node.get("language", node.get("lang", ""))).lower()
        language = "" if language in ("none", "text") else language
        return f"```{language}\n{node.astext().rstrip()}\n```"

    _doctest_block = _literal_block

    def _bullet_list(self, node: nodes.Element) -> str:
        numbered = isinstance(node, nodes.enumerated_list)
        items = []
        for number, item in enumerate(node.children, 1):
            mark = f"{number}. " if numbered else "- "
            items.append(mark + self.write(item).replace("\n", "\n" + " " * len(mark)))
        return "\n".join(items)

    _enumerated_list = _definition_list = _bullet_list

    def _definition_list_item(self, node: nodes.Element) -> str:
        *terms, definition = node.children
        return f"{', '.join(map(self.write, terms))}: {self.write(definition)}"

    def _table(self, node: nodes.Element) -> str:
        """A table; of one whose rows are claims, their evidence stands below it."""
        rows = [*node.findall(nodes.row)]
        opened = [row for row in rows if "opened" in row["classes"]]
        last = -1 if opened else None  # the column of the ticks
        told = [[self.write(cell) for cell in row] for row in rows if row not in opened]
        proofs = dict.fromkeys(map(self._proof, opened))
        return "\n\n".join([_listed([cells[:last] for cells in told]), *proofs])

    def _grid(self, node: nodes.Element) -> str:
        rows = [[*map(self.write, node.children)]]
        for first, *others in node["rows"]:
            rows.append([f"`{first}`" if node["code"] else first, *others])
        return _listed(rows)

    def _raw(self, node: nodes.Element) -> str:
        """Of raw HTML only the alternative text of a drawing."""
        alt = _ALT.search(node.astext())
        return _figure(html.unescape(alt[1])) if alt else ""

    def _drawing(self, node: nodes.Element) -> str:
        return _figure(node.astext())

    def _image(self, node: nodes.Element) -> str:
        return _figure(str(node.get("alt", "")))

    def _block_quote(self, node: nodes.Element) -> str:
        lines = self._content(node).splitlines()
        return "\n".join(f"> {line}".rstrip() for line in lines)

    def _details(self, node: nodes.Element) -> str:
        """Of a claim's evidence one line; of a figure's numbers the table, and not its CSV."""
        if "ev" in node["classes"]:
            return ""  # below its paragraph, see _para
        if "line" in node["classes"]:
            return self._proof(node)
        shown = (c for c in node.children if not isinstance(c, nodes.literal_block))
        return self._blocks(shown)

    def _paragraph(self, node: nodes.Element) -> str:
        """Text; the title of a figure stands out from it."""
        text = self._content(node)
        return _marked(text, "**") if "plot-title" in node["classes"] else text

    def _div(self, node: nodes.Element) -> str:
        """Text with claims in it, and below it a line of evidence for each."""
        ticks = [each for each in node.findall(details) if "ev" in each["classes"]]
        return "\n\n".join([self._content(node), *map(self._proof, ticks)])

    def _proof(self, node: nodes.Element) -> str:
        """The evidence of a claim in one line."""
        facts = (self.write(part).strip() for part in node.findall(nodes.paragraph))
        return "> " + "; ".join(filter(None, facts))

    def _inline(self, node: nodes.Element) -> str:
        """Part of a line; the figures of the landing page become sentences."""
        return self._content(node) + "." * ("total" in node["classes"])

    def _literal(self, node: nodes.Element) -> str:
        return f"`{node.astext()}`"

    def _strong(self, node: nodes.Element) -> str:
        return _marked(self._content(node), "**")

    _term = _strong

    def _rubric(self, node: nodes.Element) -> str:
        level = node.get("heading-level")
        return f"{'#' * level} {self._content(node)}" if level else self._strong(node)

    def _summary(self, node: nodes.Element) -> str:
        """The line of a disclosure; the heading of a topic is one."""
        is_heading = isinstance(node[0], nodes.rubric)
        return self.write(node[0]) if is_heading else self._strong(node)

    def _emphasis(self, node: nodes.Element) -> str:
        return _marked(self._content(node), "*")

    def _reference(self, node: nodes.Element) -> str:
        """A link; measured values are none, their records are named below."""
        whole = next(node.findall(nodes.raw), None)
        # A page may show how a text begins; all of it is for this one.
        text = whole.astext() if whole else self._content(node)
        return text if "measured" in node["classes"] else f"[{text}]({twin_of(node)})"


def _listed(rows: Sequence[Sequence[str]]) -> str:
    """A table of texts, the first row its header; a heading between rows is one cell alone."""
    columns, lines = len(rows[0]), []
    for row in rows:
        cells = [text.replace("\n", " ").replace("|", "\\|") for text in row]
        cells += [""] * (columns - len(row))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([lines[0], "|" + " --- |" * columns, *lines[1:]])


def _marked(text: str, mark: str) -> str:
    """An emphasis; the spaces at its ends stand outside, or it would be none."""
    return re.sub(r"\S(.*\S)?", rf"{mark}\g<0>{mark}", text)


def _figure(alt: str) -> str:
    """A picture as what it shows; a thumbnail, which has no such text, as nothing."""
    return f"*{_('Figure.')}* {alt}" if alt else ""


def twin_of(link: nodes.Element) -> str:
    """Where a link goes; a page of this site is replaced by its Markdown."""
    uri = str(link.get("refuri") or f"#{link.get('refid', '')}")
    return re.sub(r"\.html(?=#|$)", ".md", uri) if link.get("internal") else uri


def write_twin(app: Sphinx, page: str, doctree: nodes.document) -> None:
    """Write the twin of a page when the page is written."""
    target = Path(app.outdir, f"{page}.md")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(Markdown().page(doctree), encoding="utf-8")
