"""The ledger: every claim of the site, in a table for each chapter."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from textwrap import shorten

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.judge.passes import Outcome, held_of
from evidence.judge.verdict import Finding, Judgement
from evidence.judge.wording import expected_words
from evidence.records.model import Timing
from evidence.records.units import format_cell, format_interval
from evidence.site.look.evidence import MARKS, Content, strip, verdict_words
from evidence.site.look.nodes import (
    Filler,
    Inline,
    file_link,
    paragraph,
    row,
    span,
    table,
)
from evidence.site.look.pages import by_chapter, chapters
from evidence.site.look.words import _

#: An error may have a message of ten lines.
MEASURED = 60


def ledger(filler: Filler, folder: str) -> list[nodes.Node]:
    """Every claim of a folder, or of all, by chapter and page: expected, measured, verdict, margin.

    Chapter, scope and builder stand in the rows as text: ledger.js filters by what is read.
    """
    captions = {p: caption for caption, pages in chapters(filler.env) for p in pages}
    places = {page: place for place, page in enumerate(captions)}
    every = filler.domain.judged.judgements
    judgements = [each for each in every if folder in ("", _folder(each))]
    judgements.sort(key=lambda judgement: places.get(judgement.claim.page, -1))
    usual = _usual(filler)
    measured: Content = [_("Measured")]
    measured += [" ", span(usual, "builder")] if usual else []
    own = (_("Claim"), _("Expected"), measured, _("Verdict"), _("Margin"))
    header = (*own, *filler.domain.judged.elsewhere.models)
    shown = table(header, [], "filtered", "ledger")
    # On a phone, where no header is in sight, ledger.css names the model in each cell.
    models = enumerate(filler.domain.judged.elsewhere.models, len(own) + 1)
    shown["style"] = "; ".join(f"--on-{place}: ' on {gpu}'" for place, gpu in models)
    # A body for each page: a browser lays out those in sight.
    bodies: list[nodes.Node] = []
    above = ""
    for page, judged in groupby(judgements, lambda each: each.claim.page):
        if (caption := captions.get(page, above)) != above:
            above = caption
            bodies.append(nodes.tbody("", _heading(above, len(header), "chapter")))
        link = filler.link(filler.env.titles[page].astext(), page)
        rows = [row(_cells(filler, each, usual), bare=True) for each in judged]
        bodies.append(nodes.tbody("", _heading(link, len(header), "group"), *rows))
    next(shown.findall(nodes.tbody)).replace_self(bodies)
    data = file_link("claims.json", "claims.json", filler.page)
    counted = strip(verdict_words(judgements), filler.domain.site.builders, data)
    return [counted, shown]


def ledgers(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The chapters, with what became of their claims, and all of them in numbers."""
    judgements = filler.domain.judged.judgements
    counts = {}
    for name in {_folder(each): None for each in judgements}:
        own = [each for each in judgements if _folder(each) == name]
        disputed = sum(bool(each.claim.contradicts) for each in own)
        counts[name] = [verdict_words(own), str(disputed or "")]
    header = (_("Chapter"), _("Claims"), _("Contradict the notes"))
    listed = table(header, by_chapter(filler, counts), "filtered", "chapters")
    data = file_link("claims.json", "claims.json", filler.page)
    counted = strip(verdict_words(judgements), filler.domain.site.builders, data)
    return [counted, listed]


def _folder(judgement: Judgement) -> str:
    """The folder of the page that makes a claim."""
    return judgement.claim.page.rpartition("/")[0]


def _heading(content: str | nodes.Node, columns: int, kind: str) -> nodes.row:
    entry = nodes.entry("", paragraph(content), morecols=columns - 1)
    return nodes.row("", entry, classes=[kind])


def _cells(filler: Filler, judgement: Judgement, usual: str) -> list[Inline]:
    claim, shown = judgement.claim, nodes.make_id(judgement.verdict.value)
    verdict = f"{MARKS.get(judgement.verdict, '✗')} {_(judgement.verdict.value)}"
    bound = f" ({judgement.margin} bound)" if judgement.margin else ""
    elsewhere = filler.domain.judged.elsewhere
    outcomes = elsewhere.by_model(claim.id)
    records = filler.domain.site.library.records
    found = [finding for finding in judgement.findings if finding.cell]
    # What several checks say alike is said once, with their number.
    pairs = Counter((expected_words(f.check, records, _), _found(f)) for f in found)
    lines = [
        [part + f" ({n} ×)" * (n > 1) for part in pair] for pair, n in pairs.items()
    ]
    expected, measured = (_lines([each[n] for each in lines]) for n in (0, 1))
    return [
        _claim(filler, claim),
        [*expected, " ", *_where(judgement, usual)],
        measured,
        [span(verdict, "verdict", shown), bound],
        _margin(judgement.factor),
        *(_held(outcomes.get(gpu, ())) for gpu in elsewhere.models),
    ]


def _claim(filler: Filler, claim: Claim) -> Content:
    """A link to a claim by its name; the Markdown twin, which the filter reads, has the sentence.

    The sentences of four hundred claims would be two thirds of their page's weight.
    """
    link = filler.link(claim.id.replace("-", " "), claim.page, claim.id)
    link += nodes.raw("", filler.domain.sentence(claim), format="markdown")
    note = span(_("contradicts the notes"), "contradicts")
    return [link, " ", note] if claim.contradicts else [link]


def _found(finding: Finding) -> str:
    """What was measured for a check, with its interval; how often, the claim's page says."""
    name, cell = finding.check.value.quantity, finding.cell
    assert cell is not None
    interval = f" ({format_interval(name, cell)})" if isinstance(cell, Timing) else ""
    text = format_cell(name, cell) + interval
    return text if len(text) <= MEASURED else shorten(text, MEASURED, placeholder=" …")


def _usual(filler: Filler) -> str:
    """The GPU of most records, which stands in the head alone; empty where all have the same."""
    gpus = Counter(r.builder.gpu for r in filler.domain.site.library.records.values())
    return max(sorted(gpus), key=gpus.__getitem__) if len(gpus) > 1 else ""


def _where(judgement: Judgement, usual: str) -> list[nodes.inline]:
    """The scope of a claim, and its builder where that is not the usual one."""
    scope, record = judgement.claim.scope.text, judgement.record
    where = [span(scope, "scope")] if scope != "any" else []
    if record and usual and record.builder.gpu != usual:
        where.append(span(record.builder.gpu, "builder"))
    return where


def _margin(factor: float) -> str:
    """How far the nearest bound stands off; nothing where a claim has none."""
    if factor >= 10:
        return "" if math.isinf(factor) else "> 10×"
    return f"{factor:.2f}×" if factor < 2 else f"{factor:.1f}×"


def _held(outcomes: Sequence[Outcome]) -> str:
    """In how many passes a claim held, of how many; empty where there is none."""
    if not outcomes:
        return ""
    held, passes = held_of(outcomes)
    return f"{held}/{passes}"


def _lines(texts: Sequence[str]) -> Content:
    """A line for each check; where lines are lost, as in Markdown, a space stands between."""
    if len(texts) == 1:
        return [*texts]
    return [part for text in texts for part in (span(text, "check"), nodes.Text(" "))]


def totals(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The site in four figures: claims, examples, corrections, and the builder."""
    domain = filler.domain
    claims, _space, verdicts = verdict_words(domain.judged.judgements).partition(" ")
    machine, _comma, versions = domain.site.builders.partition(", ")
    figures = [
        (claims, verdicts),
        (str(len(domain.site.library.examples)), _("runnable examples")),
        (
            str(len(domain.judged.contradicting)),
            _("statements in PyTorch’s docs contradicted"),
        ),
        (machine, versions),
    ]
    shown = paragraph(classes=["totals"])
    for figure, what in figures:
        shown += span([nodes.strong("", figure), f" {what}"], "total")
        shown += nodes.Text(" ")
    return [shown]
