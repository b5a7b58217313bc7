"""The site as text: a Markdown twin beside each page, ``llms.txt`` over all, ``sitemap.xml``.

``SKILL.md`` tells an agent how to look up a claim, and how to verify one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from evidence.site.domain import evidence_of
from evidence.site.look.evidence import verdict_words
from evidence.site.look.words import _
from evidence.site.publish.markdown import Markdown

#: Search engines and previews show about as many characters.
DESCRIPTION = 160

TEMPLATES = Path(__file__).parent


def shortened(text: str, limit: int = DESCRIPTION) -> str:
    """As many whole sentences of a text as fit; the first one, where it is longer."""
    ends = [end.end() for end in re.finditer(r"[.?!](?=\s|$)|[。？！]", text)]
    if not ends and len(text) > limit:
        return f"{(text[:limit].rpartition(' ')[0] or text[:limit]).rstrip(',;')} …"
    return text[: ([end for end in ends if end <= limit] or ends[:1] or [limit])[-1]]


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


def chapters(env: BuildEnvironment) -> Iterator[tuple[str, list[str]]]:
    """The captions of the landing page's tables of contents, each with all pages below it."""
    for toctree in env.tocs[env.config.root_doc].findall(addnodes.toctree):
        pages = list(_below(env, toctree["includefiles"]))
        yield toctree.get("caption") or _("Pages"), list(dict.fromkeys(pages))


def _below(env: BuildEnvironment, pages: list[str]) -> Iterator[str]:
    for page in pages:
        yield page
        yield from _below(env, env.toctree_includes.get(page, []))
