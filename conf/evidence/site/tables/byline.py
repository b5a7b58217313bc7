"""The line under a page's lead: how many claims, on which builder, which torch, when."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import builders_words, strip, verdict_words
from evidence.site.placeholder import Filler, late
from evidence.site.words import _


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room behind the first paragraph of a page that shows measured values."""
    page = evidence_of(app.env).reading
    section = next(iter(doctree.findall(nodes.section)), None)
    lead = next((n for n in section or () if isinstance(n, nodes.paragraph)), None)
    if section is not None and lead is not None and page.uses and not page.generated:
        section.insert(section.index(lead) + 1, late(byline))


def byline(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The page's claims and verdicts, and the builders and dates of the records it uses."""
    domain, page = filler.domain, filler.domain.pages[filler.page]
    known = domain.judged
    judged = [known[claim.id] for claim in page.claims if claim.id in known]
    stems = {address.stem for address in page.uses}
    found = domain.library.records
    records = [found[stem] for stem in sorted(stems & found.keys())]
    examples = _("{count} examples").format(count=len(records))
    counted = verdict_words(judged) if judged else examples
    return [strip(counted, builders_words(records, filler.config.language))]
