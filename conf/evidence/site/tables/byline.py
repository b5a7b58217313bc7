"""The line under a page's lead: its claims, their verdicts, and what measured them."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.domain import Page, evidence_of
from evidence.site.look.builders import builders_words
from evidence.site.look.evidence import strip, verdict_words
from evidence.site.look.nodes import Filler, late, lead
from evidence.site.look.words import _
from evidence.site.tables.corrections import CORRECTIONS, page_of


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room behind the lead of a page with measured values."""
    page = evidence_of(app.env).reading
    first = lead(doctree)
    if first is not None and page.uses and not page.generated:
        first.parent.insert(first.parent.index(first) + 1, late(byline))


def byline(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The page's claims and verdicts, and the builders and dates of the records it uses."""
    domain, page = filler.domain, filler.domain.pages[filler.page]
    judgements = domain.judged.by_page.get(filler.page, ())
    every, stems = domain.site.library.records, {use.stem for use in page.uses}
    records = [every[stem] for stem in sorted(stems & every.keys())]
    examples = _("{count} examples").format(count=len(records))
    counted = verdict_words(judgements) if judgements else examples
    builders = builders_words(records, filler.config.language)
    return [strip(counted, builders, *corrected(filler, page))]


def corrected(filler: Filler, page: Page) -> list[nodes.Node]:
    """A link to what is wrong in upstream's documentation according to a page; else nothing."""
    contradicting = filler.domain.judged.contradicting.items()
    names = [n for n, claims in contradicting if any(c in claims for c in page.claims)]
    if not names or CORRECTIONS not in filler.env.titles:
        return []
    text = _("corrections of PyTorch’s docs: {count}").format(count=len(names))
    return [nodes.Text("· "), filler.link(text, page_of(filler, names[0]), names[0])]
