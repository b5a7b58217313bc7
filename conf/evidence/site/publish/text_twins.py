"""The site as text: a Markdown twin beside each page, ``llms.txt`` over all, ``sitemap.xml``.

``SKILL.md`` tells an agent how to look up a claim, and how to verify one.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.domain import evidence_of
from evidence.site.look.evidence import verdict_words
from evidence.site.look.pages import chapters, shortened
from evidence.site.look.words import _
from evidence.site.publish.markdown import Markdown

TEMPLATES = Path(__file__).parent


def on_html_page_context(
    app: Sphinx,
    page: str,
    _template: str,
    _context: object,
    doctree: nodes.document | None,
) -> None:
    """Write the twin of a page when the page is written."""
    if doctree is not None:
        target = Path(app.outdir, f"{page}.md")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Markdown().page(doctree), encoding="utf-8")


def listings(app: Sphinx) -> dict[str, str]:
    """What lists all pages, by file name; the sitemap where their address is known."""
    domain = evidence_of(app.env)
    context = {
        "config": app.config,
        "chapters": chapters(app.env),
        "titles": app.env.titles,
        "domain": domain,
        "judged": domain.judged.by_page,
        "verdict_words": verdict_words,
        "shortened": shortened,
        "say": _,
    }
    names = (
        "llms.txt",
        "SKILL.md",
        *(["sitemap.xml"] if app.config.html_baseurl else []),
    )
    render = app.builder.templates.render_string
    return {n: render((TEMPLATES / n).read_text("utf-8"), context) for n in names}
