"""The site as text: a Markdown twin beside each page, ``llms.txt`` over all, ``sitemap.xml``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from evidence.site.domain import evidence_of
from evidence.site.publish.markdown import Markdown
from evidence.site.publish.shell import shortened
from evidence.site.words import _

TEMPLATES = Path(__file__).parent


def on_html_page_context(
    app: Sphinx,
    pagename: str,
    _template: str,
    _context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Write the twin of a page when the page is written."""
    if doctree is not None:
        target = Path(app.outdir, f"{pagename}.md")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Markdown().page(doctree), encoding="utf-8")


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write what lists all pages; the sitemap where their address is known."""
    if exception is not None or app.builder.format != "html":
        return
    said = evidence_of(app.env).pages
    context = {
        "config": app.config,
        "chapters": chapters(app.env),
        "titles": app.env.titles,
        "leads": {name: page.lead for name, page in said.items()},
        "shortened": shortened,
        "say": _,
    }
    for name in ("llms.txt", *(["sitemap.xml"] if app.config.html_baseurl else [])):
        template = (TEMPLATES / name).read_text("utf-8")
        text = app.builder.templates.render_string(template, context)
        Path(app.outdir, name).write_text(f"{text}\n", encoding="utf-8")


def chapters(env: BuildEnvironment) -> Iterator[tuple[str, list[str]]]:
    """The captions of the landing page's tables of contents, each with all pages below it."""
    for toctree in env.tocs[env.config.root_doc].findall(addnodes.toctree):
        pages = list(_below(env, toctree["includefiles"]))
        yield toctree.get("caption") or _("Pages"), list(dict.fromkeys(pages))


def _below(env: BuildEnvironment, pages: list[str]) -> Iterator[str]:
    for page in pages:
        yield page
        yield from _below(env, env.toctree_includes.get(page, []))


def setup(app: Sphinx) -> None:
    """Register the writers."""
    app.connect("html-page-context", on_html_page_context)
    app.connect("build-finished", on_build_finished)
