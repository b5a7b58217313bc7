"""What is put into pages: a line under the lead, and cards where examples have no figure."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx

from evidence.records.model import Timing
from evidence.records.units import format_cell
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import MARKS, builders_words, strip, verdict_words
from evidence.site.nodes import Filler, late, lead, paragraph
from evidence.site.words import _

_THUMBNAIL = re.compile(r"sphx_glr_(?P<stem>\w+)_thumb\.\w+")


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room behind the lead of a page with measured values, and where there is no figure."""
    domain = evidence_of(app.env)
    page = domain.reading
    for image in list(doctree.findall(nodes.image)):
        match = _THUMBNAIL.fullmatch(PurePosixPath(image["uri"]).name)
        example = domain.library.examples.get(match["stem"]) if match else None
        if example is None:
            continue
        page.generated = True
        if example.record is not None and not example.record.figures:
            image.replace_self(late(card, example.stem))
    first = lead(doctree)
    if first is not None and page.uses and not page.generated:
        first.parent.insert(first.parent.index(first) + 1, late(byline))


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


def card(filler: Filler, stem: str) -> list[nodes.Node]:
    """The first claim of an example: its number or its verdict, and its id as words."""
    for judgement in filler.domain.judgements:
        if judgement.claim.stem == stem:
            check, cell = judgement.claim.checks[0], judgement.findings[0].cell
            shown = MARKS.get(judgement.verdict, "✗")
            if isinstance(cell, Timing):
                shown = format_cell(check.value.quantity, cell)
            words = judgement.claim.id.replace("-", " ")
            text = paragraph(nodes.strong("", shown), " ", words)
            return [nodes.container("", text, classes=["card"])]
    return []
