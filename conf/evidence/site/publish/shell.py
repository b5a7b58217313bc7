"""The page around the text: its policy and description, its files, the roles in its markup.

What furo and Sphinx leave out is added where the page is made, in templates (conf/_templates) and
in the translator here; nothing rewrites finished HTML.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.writers.html5 import HTML5Translator

from evidence.site.domain import evidence_of
from evidence.site.gallery.links import Link, links_of, with_links
from evidence.site.look.pages import shortened
from evidence.site.look.words import _
from evidence.site.publish import claim_pages, search_index, text_twins
from evidence.site.publish.feed import address

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)

#: Style sheets and scripts that extensions load on every page, by how their names begin, and what
#: stands in the pages that they are for; the empty ones have none here.
ONLY_FOR = {
    "furo-extensions.css": "",
    "sg-tags.js": "",
    "mystnb.": 'class="cell ',
    "sg_gallery.css": 'class="sphx-glr',
    "gallery.css": 'class="sphx-glr',
    "sg_gallery-": "output_subarea",
    "ledger.": '<table class="filtered',
}

#: Names that may not fit a phone's line, and the ends of their parts.
_LONG, _LONG_IN_CELL = re.compile(r"[\w.]{30,}"), re.compile(r"[\w.]{16,}")
_PART = re.compile(r"[._](?=\w)")
_CLASSES = re.compile(r' class="([^"]*)"')
#: Classes that docutils and Sphinx give to each link, row and word of code, and no style asks for.
IDLE = {
    *("docutils", "literal", "notranslate", "reference", "internal", "external"),
    *("head", "stub", "row-odd", "row-even"),
}


@cache
def _needed(classes: str) -> str:
    """The classes of an element without the idle ones."""
    needed = " ".join(name for name in classes.split() if name not in IDLE)
    return f' class="{needed}"' if needed else ""


def inline_scripts() -> str:
    """The digests of furo's inline scripts: partials/site_meta.html allows no other."""
    template = Path(import_module("furo").THEME_PATH, "base.html")
    scripts = _INLINE.findall(template.read_text("utf-8"))
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)


def _heading(node: nodes.Node) -> str:
    """The nearest heading that a node stands under: of a section, a figure or another table."""
    while home := node.parent:
        for each in reversed(home.children[: home.index(node)]):
            drawn = (
                isinstance(each, nodes.paragraph) and "plot-title" in each["classes"]
            )
            if drawn or isinstance(each, (nodes.title, nodes.rubric)):
                return str(each.astext())
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
        text = self.encode(node.astext())
        is_code = isinstance(node.parent, nodes.literal)
        cell = (node.parent.parent if is_code else node.parent).parent
        if is_code or isinstance(cell, nodes.entry):
            long = _LONG_IN_CELL if isinstance(cell, nodes.entry) else _LONG
            text = long.sub(lambda found: _PART.sub(r"\g<0><wbr>", found[0]), text)
        self.body.append(text)

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


def is_used(file: object, body: str) -> bool:
    """Whether a page with this body has a use for a style sheet or script."""
    name = Path(str(getattr(file, "filename", file))).name
    marks = [mark for begin, mark in ONLY_FOR.items() if name.startswith(begin)]
    return all(mark and mark in body for mark in marks)


def before_furo(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _: object
) -> None:
    """Have furo draw no list of pages: sidebar/navigation.html does, without the closed branches.

    The names of all examples on every page would soon outweigh the pages, and to parse the list
    for each of them took a third of the build.
    """
    context.pop("toctree", None)


def opened(app: Sphinx, page: str) -> set[str]:
    """A page, and those that it stands below."""
    relations = app.builder.relations  # type: ignore[attr-defined]
    found = {page}
    while page := relations.get(page, ("",))[0]:
        found.add(page)
    return found


def on_html_page_context(
    app: Sphinx,
    pagename: str,
    _template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give the templates what they show, and the page only the files that it uses."""
    domain, root = evidence_of(app.env), app.config.root_doc
    own = domain.pages[pagename].lead if pagename in domain.pages else ""
    context["say"] = _
    context["shell"] = {
        "inline_scripts": inline_scripts(),
        "description": shortened(own or domain.pages[root].lead),
        "builders": domain.site.builders,
        "minisearch": search_index.package(app) is not None,
        "markdown": f"{Path(pagename).name}.md" if doctree is not None else "",
        "base": app.config.html_baseurl,
        "feed": address(app),
        "version": domain.site.version,
        "versions": domain.site.versions,
        "author": app.config.author,
        "card": claim_pages.card(app, pagename),
        "opened": opened(app, pagename),
        "toctrees": lambda page: app.env.tocs[page].findall(addnodes.toctree),
        "titles": app.env.titles,
    }
    body = context.get("body", "")
    for kind in ("css_files", "script_files"):
        context[kind] = [file for file in context[kind] if is_used(file, body)]


def on_config_inited(app: Sphinx, config: Config) -> None:
    """A site that is released knows its address: previews, feeds and search engines need it."""
    if "release" in app.tags and not re.match(r"https?://.+/$", config.html_baseurl):
        where = f"-D html_baseurl=https://…/ (it is {config.html_baseurl!r})"
        raise ConfigError(f"a release needs its address, ending in a slash: {where}")


def setup(app: Sphinx) -> None:
    """Register the translator and what the templates need."""
    app.connect("config-inited", on_config_inited)
    app.set_translator("html", Translator)
    app.add_js_file("shell.js", loading_method="defer")
    app.connect("html-page-context", before_furo, priority=400)
    for module in (text_twins, claim_pages):
        app.connect("html-page-context", module.on_html_page_context)
    # Last: other listeners add files to a page.
    app.connect("html-page-context", on_html_page_context, priority=900)
