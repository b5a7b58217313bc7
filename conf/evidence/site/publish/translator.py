"""The markup of a page's text: Sphinx's, with what it lacks and without what nothing needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator

from evidence.site.gallery.links import Link, links_of, with_links
from evidence.site.look.nodes import grid

#: Names that may not fit a phone's line, and the ends of their parts.
_LONG, _LONG_IN_CELL = re.compile(r"[\w.]{30,}"), re.compile(r"[\w.]{16,}")
_PART = re.compile(r"[._](?=\w)")
#: A table of more rows is laid out where it is in sight: in bodies of so many.
_MOST, _BODY = 200, 40
_CLASSES = re.compile(r' class="([^"]*)"')
#: Classes that docutils and Sphinx give to each link, row and word of code, and no style asks for.
IDLE = {
    *("docutils", "literal", "notranslate", "reference", "internal", "external"),
    *("head", "stub", "row-odd", "row-even", "untranslated"),
}


@cache
def _needed(classes: str) -> str:
    """The classes of an element without the idle ones."""
    needed = " ".join(name for name in classes.split() if name not in IDLE)
    return f' class="{needed}"' if needed else ""


def _heading(node: nodes.Node) -> str:
    """The nearest heading that a node stands under: of a section, a figure or another table."""
    while home := node.parent:
        for before in reversed(home.children[: home.index(node)]):
            match before:
                case nodes.title() | nodes.rubric():
                    return str(before.astext())
                case nodes.paragraph() if "plot-title" in before["classes"]:
                    return str(before.astext())
        node = home
    return ""


class Translator(HTML5Translator):
    """Sphinx's translator, with what its markup lacks, and without idle spans.

    It puts one around each word of inline code and one around the text of each link. On a page of
    thirty claims that is a tenth of its weight, and no style here needs them.
    """

    def starttag(
        self, node: nodes.Element, tagname: str, *args: Any, **attributes: Any
    ) -> str:
        """Open an element; a role of heading needs a level, and Sphinx gives none."""
        if isinstance(node, nodes.Element) and "untranslated" in node["classes"]:
            attributes["LANG"] = "en"
        if attributes.get("ROLE") == "heading":
            attributes["ARIA-LEVEL"] = "2"
        if tagname == "img":
            attributes["loading"] = "lazy"
        if tagname == "tbody":
            # By it a browser knows about how high it is before it is laid out.
            attributes["style"] = f"--rows: {len(node)}"
        if tagname == "table" and "style" in node:
            attributes["style"] = node["style"]
        if tagname == "th":
            of_column = isinstance(node.parent.parent, nodes.thead)
            attributes["scope"] = "col" if of_column else "row"
        tag = str(super().starttag(node, tagname, *args, **attributes))
        # Of these classes furo styles one: that of tables.
        return tag if tagname == "table" else _CLASSES.sub(lambda m: _needed(m[1]), tag)

    def visit_Text(self, node: nodes.Text) -> None:  # noqa: N802 - named after the node
        """Write text as it is; in code and cells, a long name may break between its parts."""
        is_code = isinstance(node.parent, nodes.literal)
        holder = node.parent.parent if is_code else node.parent
        if "claim-text" in holder.get("classes", ()):
            holder = holder.parent
        in_cell = isinstance(holder.parent, nodes.entry)
        text = node.astext()
        breaks = is_code or in_cell
        self.body.append(self._broken(text, in_cell) if breaks else self.encode(text))

    def _broken(self, text: str, cell: bool) -> str:
        """A text whose long names may break between their parts; in a cell, shorter ones too."""
        long = _LONG_IN_CELL if cell else _LONG
        return long.sub(
            lambda name: _PART.sub(r"\g<0><wbr>", name[0]), self.encode(text)
        )

    def visit_literal_block(self, node: nodes.literal_block) -> None:
        """Write code; in that of an example, names that PyTorch documents are links."""
        try:
            super().visit_literal_block(node)
        except nodes.SkipNode:
            self.body[-1] = with_links(self.body[-1], self.code_links)
            raise

    @cached_property
    def code_links(self) -> Mapping[str, Link]:
        """What to link in the code of this page."""
        return links_of(Path(self.builder.env.doc2path(self.builder.current_docname)))

    def visit_table(self, node: nodes.table) -> None:
        """Open a table; it is named by the heading that it stands under, for who cannot see it."""
        super().visit_table(node)
        self.body.append(f"<caption>{self.encode(_heading(node))}</caption>\n")

    def visit_grid(self, node: grid) -> None:
        """Write a table of texts as one of nodes is written, in the box that furo puts it in."""
        classes = " ".join(["table-wrapper", *node["classes"], "container"])
        self.body.append(f'<div class="{classes}">\n')
        rows, given = node["rows"], {"CLASS": "docutils align-default"}
        if is_long := len(rows) > _MOST:
            style = f"--columns: {len(node.children)}"
            given = {"CLASS": "docutils align-default long", "STYLE": style}
        self.body.append(self.starttag(node, "table", **given))
        caption = self.encode(_heading(node))
        self.body.append(f"<caption>{caption}</caption>\n<thead>\n<tr>")
        for heading in node.children:
            self.body.append('<th scope="col"><p>')
            for part in heading.children[0].children:
                part.walkabout(self)
            self.body.append("</p></th>\n")
        self.body.append("</tr>\n</thead>\n")
        step = _BODY if is_long else _MOST
        for start in range(0, len(rows), step):
            self._body(rows[start : start + step], is_code=node["code"])
        self.body.append("</table>\n</div>\n")
        raise nodes.SkipNode

    def _body(self, rows: Sequence[Sequence[str]], *, is_code: bool) -> None:
        """Write rows of texts, of which the first is perhaps code."""
        self.body.append(f'<tbody style="--rows: {len(rows)}">\n')
        for first, *others in rows:
            name = self._broken(first, cell=True)
            if is_code:
                name = f"<code>{name}</code>"
            # A table of one column has no names of rows.
            head = f'<th scope="row">{name}</th>' if others else f"<td>{name}</td>"
            cells = (f"<td>{self._broken(text, cell=True)}</td>\n" for text in others)
            self.body.append(f"<tr>{head}\n{''.join(cells)}</tr>\n")
        self.body.append("</tbody>\n")

    def visit_entry(self, node: nodes.entry) -> None:
        """Open a cell; the first of several names its row."""
        columns: Any = node.parent.parent.parent
        columns.stubs[0] = columns["cols"] > 1 and "morecols" not in node
        super().visit_entry(node)

    def visit_reference(self, node: nodes.Element) -> None:
        """Open a link, without the span that only says that it is one."""
        for inner in list(node.findall(nodes.inline)):
            if {"xref", "std"}.intersection(inner["classes"]):
                inner.parent.replace(inner, inner.children)
        super().visit_reference(node)
