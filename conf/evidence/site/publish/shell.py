"""The page around the text: its policy and description, its files, the roles in its markup.

What furo and Sphinx leave out is added where the page is made, in templates (conf/_templates) and
in the translator here; nothing rewrites finished HTML.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.errors import ThemeError
from sphinx.writers.html5 import HTML5Translator

from evidence.records.units import THIN_SPACE
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import builders_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

#: Search engines and previews show about as many characters.
DESCRIPTION = 160

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def furo_folder() -> Path:
    """Where the installed theme keeps its templates."""
    return Path(str(import_module("furo").THEME_PATH))


def policy(theme: Path) -> str:
    """The Content-Security-Policy of every page: this site alone, and furo's one inline script.

    :raises ThemeError: when furo has no longer exactly one, without a template's expressions in it
    """
    scripts = _INLINE.findall((theme / "base.html").read_text("utf-8"))
    if len(scripts) != 1 or "{" in scripts[0]:
        raise ThemeError(f"furo's base.html has {len(scripts)} plain inline scripts")
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'sha256-{digest}'",
            # The figures are SVG whose elements carry their style.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


def lead(doctree: nodes.Node) -> str:
    """The first paragraph of a page as plain text, or nothing."""
    for section in doctree.findall(nodes.section):
        for child in section.children:
            if isinstance(child, nodes.paragraph):
                return " ".join(child.astext().replace(THIN_SPACE, " ").split())
    return ""


def shortened(text: str, limit: int = DESCRIPTION) -> str:
    """A text cut between two words, or behind a sentence where one ends late enough."""
    if len(text) <= limit:
        return text
    cut = text[: limit + 1]
    end = cut.rfind(". ")
    if end > limit // 3:
        return cut[: end + 1]
    # A language without spaces is cut where it must be.
    words, space, _rest = cut.rpartition(" ")
    return (words if space else cut[:-1]).rstrip(",;:") + " …"


class Translator(HTML5Translator):
    """Sphinx's translator, with levels for the navigation's captions and without idle spans.

    Sphinx puts each word of inline code in a span of its own, and each text of a link in another.
    On a page of thirty claims that is a tenth of its weight, and no style here needs them.
    """

    def starttag(
        self, node: nodes.Element, tagname: str, *args: Any, **attributes: Any
    ) -> str:
        """Open an element; a role of heading needs a level, and Sphinx gives none."""
        if attributes.get("ROLE") == "heading":
            attributes["ARIA-LEVEL"] = "2"
        if tagname == "img":
            attributes["loading"] = "lazy"
        return str(super().starttag(node, tagname, *args, **attributes))

    def visit_Text(self, node: nodes.Text) -> None:  # noqa: N802 - named after the node
        """Write text as it is, also in code."""
        if self.protect_literal_text:
            self.body.append(self.encode(node.astext()))
        else:
            super().visit_Text(node)

    def visit_inline(self, node: nodes.inline) -> None:
        """Open a span, unless it only says that its link is a reference."""
        if not _is_idle(node):
            super().visit_inline(node)

    def depart_inline(self, node: nodes.inline) -> None:
        """Close the span."""
        if not _is_idle(node):
            super().depart_inline(node)


def _is_idle(node: nodes.inline) -> bool:
    return bool(node["classes"] == ["std", "std-ref"])


def needless(doctree: nodes.document | None) -> set[str]:
    """The files that extensions load on every page, and this one has no use for."""
    # Half of a page's weight would be style sheets for cells and thumbnails that it has not.
    unused = {"furo-extensions.css", "sg_gallery-binder.css", "sg-tags.js"}
    kinds = set() if doctree is None else _classes(doctree)
    if "cell" not in kinds:
        unused.add("mystnb.")
    if not any(kind.startswith("sphx-glr") for kind in kinds):
        unused.add("sg_gallery.css")
    if "output_subarea" not in kinds:
        unused |= {"sg_gallery-dataframe.css", "sg_gallery-rendered-html.css"}
    return unused


def _classes(doctree: nodes.document) -> set[str]:
    """Every class on a page, also those in raw HTML, where sphinx-gallery writes its own."""
    found: set[str] = set()
    for node in doctree.findall(nodes.Element):
        found.update(node.get("classes", ()))
        if isinstance(node, nodes.raw):
            for names in re.findall(r'class="([^"]*)"', node.astext()):
                found.update(names.split())
    return found


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Keep a page's first paragraph: every other page's list of pages shows it."""
    page = evidence_of(app.env).page(app.env.current_document.docname)
    page.lead = lead(doctree)


def before_furo(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _: object
) -> None:
    """Have furo draw only the open branch of the examples beside the text.

    The names of all examples on every page would soon outweigh the pages.
    """
    whole = context.get("toctree")
    if whole is not None:
        context["toctree"] = lambda **options: whole(**options | {"collapse": True})


def on_html_page_context(
    app: Sphinx,
    pagename: str,
    _template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give the templates what they show, and the page only the files that it uses."""
    domain, root = evidence_of(app.env), app.config.root_doc
    lead = domain.pages[pagename].lead if pagename in domain.pages else ""
    context["shell"] = {
        "policy": policy(furo_folder()),
        "description": shortened(lead or domain.pages[root].lead),
        "builders": builders_words(domain.library, app.config.language),
        "markdown": f"{Path(pagename).name}.md" if doctree is not None else "",
        "base": app.config.html_baseurl,
    }
    unused = needless(doctree)
    for kind in ("css_files", "script_files"):
        context[kind] = [file for file in context[kind] if not _named(file, unused)]


def _named(file: object, names: Iterable[str]) -> bool:
    name = Path(str(getattr(file, "filename", file))).name
    return name.startswith(tuple(names))


def setup_shell(app: Sphinx) -> None:
    """Register the translator and what the templates need."""
    app.set_translator("html", Translator)
    app.add_js_file("shell.js", loading_method="defer")
    app.connect("doctree-read", on_doctree_read)
    app.connect("html-page-context", before_furo, priority=400)
    # Last: other listeners add files to a page.
    app.connect("html-page-context", on_html_page_context, priority=900)
