"""Nodes shared by the directives: disclosure, tables, inline pieces, and what is filled in late.

Claims are judged once, when every page is read. What shows a verdict, or what other pages say, is
a placeholder until then, which names the function that fills it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri
from sphinx.writers.html5 import HTML5Translator

from evidence.judge.claim import Claim
from evidence.site.domain import EvidenceDomain, Judged, Site, evidence_of

#: A text, a node, or several of these in a row.
Inline: TypeAlias = str | nodes.Node | Sequence[str | nodes.Node]

Fill: TypeAlias = "Callable[[Filler, str], Sequence[nodes.Node]]"


class details(nodes.General, nodes.Element):  # noqa: N801 - docutils names visitors after nodes
    """A disclosure: its first child is the :class:`summary`, the rest opens in place."""


class summary(nodes.General, nodes.TextElement):  # noqa: N801
    """The line of a disclosure that is always seen."""


class answer(nodes.General, nodes.Element):  # noqa: N801
    """A disclosure of a page's own text, which is checked and searched as any text is."""

    tagname = "details"


class para(nodes.paragraph):  # noqa: N801
    """A paragraph with a claim in it: its evidence opens there, which no ``p`` may hold."""

    tagname = "div"


class grid(nodes.General, nodes.Element):  # noqa: N801
    """A table of texts, which is one node however many cells it has.

    Its children are the cells of its header, and ``rows`` holds as many texts for each row; with
    ``code``, those of the first column are code. A table of a thousand rows would be ten thousand
    nodes, and a build walks each of them thirty times.
    """


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    """Open an element of the node's name; both work by keyboard and without JavaScript."""
    given: dict[str, Any] = {"open": ""} if node.get("open") else {}
    given |= node.get("html", {})
    translator.body.append(translator.starttag(node, node.tagname, suffix="", **given))


def depart(translator: HTML5Translator, node: nodes.Element) -> None:
    """Close the element that was opened for a node."""
    translator.body.append(f"</{node.tagname}>\n")


def inline(content: Inline) -> list[nodes.Node]:
    """Content as nodes; an empty text is none."""
    if isinstance(content, str):
        return [nodes.Text(content)] if content else []
    if isinstance(content, nodes.Node):
        return [content]
    return [node for part in content for node in inline(part)]


def above(node: nodes.Node) -> Iterator[Any]:
    """What a node stands in, the nearest first."""
    while (node := node.parent) is not None:
        yield node


def lead(doctree: nodes.Node) -> nodes.paragraph | None:
    """The first paragraph of a page."""
    found = doctree.findall(nodes.paragraph)
    return next((p for p in found if isinstance(p.parent, nodes.section)), None)


def span(content: Inline, *classes: str) -> nodes.inline:
    """Inline content with classes."""
    return nodes.inline("", "", *inline(content), classes=list(classes))


def with_literals(text: str) -> list[str | nodes.Node]:
    """A text whose backticks mark literals; outside of them, quotes become curly."""
    pieces = text.replace("``", "`").split("`")
    return [nodes.literal("", p) if n % 2 else curly(p) for n, p in enumerate(pieces)]


def curly(text: str) -> str:
    """A text with the apostrophes and quotes that Sphinx gives to what it reads itself."""
    return re.sub(r'"([^"]*)"', r"“\1”", text).replace("'", "’")


def paragraph(
    *content: str | nodes.Node, classes: Sequence[str] = ()
) -> nodes.paragraph:
    """A paragraph of inline content."""
    return nodes.paragraph("", "", *inline(content), classes=list(classes))


def prose(text: str) -> nodes.paragraph:
    """A paragraph of a text over several lines, with its literals."""
    return paragraph(*with_literals(" ".join(text.split())))


def section(title: Inline, *content: nodes.Node, anchor: str = "") -> nodes.section:
    """A section with its title, and the anchor that this gives it unless another is given."""
    named = nodes.title("", "", *inline(title))
    ids = [anchor or nodes.make_id(named.astext())]
    return nodes.section("", named, *content, ids=ids)


def disclosure(line: Inline, *content: nodes.Node, **attributes: Any) -> details:
    """A line that opens to more."""
    return details("", summary("", "", *inline(line)), *content, **attributes)


def table(
    header: Sequence[Inline],
    rows: Iterable[nodes.row | Sequence[Inline]],
    *classes: str,
) -> nodes.table:
    """A table of rows, or of their inline content; numbers align by class."""
    group = nodes.tgroup(cols=len(header))
    group += [nodes.colspec(colwidth=1) for _ in header]
    group += nodes.thead("", row(header))
    body = (each if isinstance(each, nodes.row) else row(each) for each in rows)
    group += nodes.tbody("", *body)
    return nodes.table("", group, classes=list(classes))


def texts(
    header: Iterable[Inline],
    rows: Iterable[Sequence[str]],
    *classes: str,
    code: bool = False,
) -> grid:
    """A table of texts; its values stand where a table of nodes has paragraphs."""
    cells = [tuple(each) for each in rows]
    heads = row(header).children
    return grid("", *heads, rows=cells, code=code, classes=list(classes))


def row(
    cells: Iterable[Inline], classes: Sequence[str] = (), *, bare: bool = False
) -> nodes.row:
    """A row of cells with inline content, or a paragraph each.

    :param bare: without tags of paragraphs, where a table has a thousand rows
    """
    kind = nodes.generated if bare else nodes.paragraph
    entries = (
        cell if isinstance(cell, nodes.paragraph) else kind("", "", *inline(cell))
        for cell in cells
    )
    return nodes.row("", *(nodes.entry("", e) for e in entries), classes=list(classes))


def cross_reference(
    text: str, label: str, docname: str, classes: Sequence[str] = ()
) -> addnodes.pending_xref:
    """A link to a label anywhere on the site."""
    target = {"refdomain": "std", "reftype": "ref", "reftarget": label}
    about = {"refdoc": docname, "refexplicit": True, "refwarn": True, **target}
    shown = nodes.inline(text, text)
    return addnodes.pending_xref("", shown, classes=list(classes), **about)


def made(node: nodes.Element) -> nodes.Element:
    """A node of the build's own, whose classes no page may give."""
    node["made"] = True
    return node


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
    def site(self) -> Site:
        """What the site is made from."""
        return self.domain.site

    @property
    def judged(self) -> Judged:
        """What became of the claims."""
        return self.domain.judged

    @property
    def page(self) -> str:
        """The page that is being written."""
        return self.env.current_document.docname

    @property
    def repository(self) -> str:
        """The address of the site's repository, or nothing."""
        return str(self.config.html_theme_options.get("source_repository", ""))

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
        upstream = self.site.upstream
        stated = [upstream[name] for name in names if name in upstream]
        return [nodes.reference("", f"{s.page} ", refuri=s.address) for s in stated]


def file_link(text: str, path: str, page: str) -> nodes.reference:
    """A link from a page to a file of the site, by its path from the site's root."""
    return nodes.reference("", text, refuri="../" * page.count("/") + path)
