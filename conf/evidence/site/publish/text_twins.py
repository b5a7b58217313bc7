"""The site as text: a Markdown twin beside each page, ``llms.txt`` over all, ``sitemap.xml``."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
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
    """Write what lists all pages."""
    if exception is not None or app.builder.format != "html":
        return
    base = app.config.html_baseurl
    text = llms_txt(app.env, app.config.project, base)
    Path(app.outdir, "llms.txt").write_text(text, encoding="utf-8")
    if base:
        text = sitemap(app.env, base)
        Path(app.outdir, "sitemap.xml").write_text(text, encoding="utf-8")


def llms_txt(env: BuildEnvironment, project: str, base: str) -> str:
    """Every page by chapter, in reading order, each with its Markdown and its first sentence."""
    said = evidence_of(env).pages
    parts = [
        f"# {project}",
        f"> {said[env.config.root_doc].lead}",
        _(
            "Each page below is Markdown with the measured values in it, and the HTML page has the "
            "same address with `.html`. Every claim as data: [claims.json]({base}claims.json), "
            "described by [claims.schema.json]({base}claims.schema.json)."
        ).format(base=base),
    ]
    for caption, pages in chapters(env):
        links = [
            f"- [{env.titles[page].astext()}]({base}{page}.md){_described(said[page].lead)}"
            for page in pages
        ]
        parts += [f"## {caption}", "\n".join(links)]
    return "\n\n".join(parts) + "\n"


def _described(text: str) -> str:
    return f": {shortened(text)}" if text else ""


def chapters(env: BuildEnvironment) -> Iterator[tuple[str, list[str]]]:
    """The captions of the landing page's tables of contents, each with all pages below it."""
    for toctree in env.tocs[env.config.root_doc].findall(addnodes.toctree):
        pages = list(_below(env, toctree["includefiles"]))
        yield toctree.get("caption") or _("Pages"), list(dict.fromkeys(pages))


def _below(env: BuildEnvironment, pages: list[str]) -> Iterator[str]:
    for page in pages:
        yield page
        yield from _below(env, env.toctree_includes.get(page, []))


def sitemap(env: BuildEnvironment, base: str) -> str:
    """The addresses of all pages, for search engines."""
    pages = sorted(env.found_docs)
    urls = "".join(
        f"<url><loc>{escape(f'{base}{page}.html')}</loc></url>\n" for page in pages
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{space}">\n{urls}</urlset>\n'


def setup_text_twins(app: Sphinx) -> None:
    """Register the writers."""
    app.connect("html-page-context", on_html_page_context)
    app.connect("build-finished", on_build_finished)
