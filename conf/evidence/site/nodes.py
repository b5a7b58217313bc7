"""Nodes and node builders shared by the directives: disclosure, tables, inline pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


class details(nodes.General, nodes.Element):  # noqa: N801 - docutils names visitors after nodes
    """A disclosure: its first child is the :class:`summary`, the rest opens in place."""


class summary(nodes.General, nodes.TextElement):  # noqa: N801
    """The line of a disclosure that is always seen."""


def visit_details(translator: HTML5Translator, node: nodes.Element) -> None:
    """Open ``<details>``; it works by keyboard and without JavaScript."""
    translator.body.append(translator.starttag(node, "details"))


def visit_summary(translator: HTML5Translator, node: nodes.Element) -> None:
    """Open ``<summary>``."""
    translator.body.append(translator.starttag(node, "summary", suffix=""))


def depart(translator: HTML5Translator, node: nodes.Element) -> None:
    """Close the element that was opened for a node."""
    translator.body.append(f"</{node.tagname}>\n")


def _pass(_translator: Any, _node: nodes.Element) -> None:
    """Show only the content, in builders that know no disclosure."""


def span(text: str, *classes: str) -> nodes.inline:
    """A piece of text with classes."""
    return nodes.inline(text, text, classes=list(classes))


def paragraph(*children: nodes.Node, classes: Sequence[str] = ()) -> nodes.paragraph:
    """A paragraph of inline nodes."""
    return nodes.paragraph("", "", *children, classes=list(classes))


def definitions(
    entries: Iterable[tuple[str, Sequence[nodes.Node]]], classes: Sequence[str]
) -> nodes.definition_list:
    """A list of terms, each with inline nodes; entries without nodes are left out."""
    items = [
        nodes.definition_list_item(
            "", nodes.term(term, term), nodes.definition("", paragraph(*children))
        )
        for term, children in entries
        if children
    ]
    return nodes.definition_list("", *items, classes=list(classes))


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], classes: Sequence[str] = ()
) -> nodes.table:
    """A table of plain text; numbers align by class."""
    text = [row([[nodes.Text(cell)] for cell in cells]) for cells in rows]
    return table_of(header, text, classes=["measured-table", *classes])


def table_of(
    header: Sequence[str], rows: Iterable[nodes.row], classes: Sequence[str]
) -> nodes.table:
    """A table of rows that :func:`row` made."""
    group = nodes.tgroup(cols=len(header))
    group += [nodes.colspec(colwidth=1) for _ in header]
    group += nodes.thead("", row([[nodes.Text(cell)] for cell in header]))
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=list(classes))


def row(cells: Iterable[Sequence[nodes.Node]]) -> nodes.row:
    """A row whose cells hold inline nodes."""
    return nodes.row("", *(nodes.entry("", paragraph(*cell)) for cell in cells))


def cross_reference(text: str, label: str, docname: str) -> addnodes.pending_xref:
    """A link to a label anywhere on the site."""
    return addnodes.pending_xref(
        "",
        nodes.inline(text, text),
        refdoc=docname,
        refdomain="std",
        reftype="ref",
        reftarget=label,
        refexplicit=True,
        refwarn=True,
    )


def download(text: str, path: str) -> addnodes.download_reference:
    """A link to a file that Sphinx copies; the path is relative to the source folder."""
    return addnodes.download_reference(
        "", "", nodes.inline(text, text), reftarget=f"/{path}"
    )


def setup_nodes(app: Sphinx) -> None:
    """Register the nodes with the builders."""
    plain = (_pass, _pass)
    for node, visit in ((details, visit_details), (summary, visit_summary)):
        app.add_node(
            node,
            html=(visit, depart),
            latex=plain,
            text=plain,
            man=plain,
            texinfo=plain,
        )
