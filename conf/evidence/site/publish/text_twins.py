"""The site as text: a Markdown twin beside each page, ``llms.txt`` over all, ``sitemap.xml``.

``SKILL.md`` tells an agent how to look up a claim, and how to verify one.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.domain import evidence_of
from evidence.site.look.evidence import verdict_words
from evidence.site.look.pages import chapters, shortened
from evidence.site.look.words import _
from evidence.site.publish.markdown import Markdown

TEMPLATES = Path(__file__).parent


def write(app: Sphinx, page: str, doctree: nodes.document) -> None:
    """Write the twin of a page when the page is written."""
    target = Path(app.outdir, f"{page}.md")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(Markdown().page(doctree), encoding="utf-8")


def listings(app: Sphinx) -> dict[str, str]:
    """What lists all pages, by file name; the sitemap where their address is known."""
    domain, judged = evidence_of(app.env), defaultdict(list)
    for judgement in domain.judgements:
        judged[judgement.claim.page].append(judgement)
    context = {
        "config": app.config,
        "chapters": chapters(app.env),
        "titles": app.env.titles,
        "domain": domain,
        "judged": judged,
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
