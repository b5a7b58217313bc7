"""The ledger: every claim of the site in one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from docutils import nodes

from evidence.judge.verdict import Judgement
from evidence.site.evidence_nodes import (
    MARKS,
    found_text,
    held,
    strip,
    verdict_words,
    words_of,
)
from evidence.site.nodes import Filler, Inline, file_link, paragraph, row, span, table
from evidence.site.words import _


def ledger(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Every claim, grouped by page: expected, measured, verdict."""
    rows: list[nodes.row] = []
    judgements = filler.domain.judgements
    for page, judged in groupby(judgements, lambda judgement: judgement.claim.page):
        rows += [_group(filler, page), *(_ledger_row(filler, each) for each in judged)]
    own = (_("Claim"), _("Expected"), _("Measured"), _("Verdict"))
    header = (*own, *_models(filler))
    data = file_link("claims.json", "claims.json", filler.page)
    counted = strip(verdict_words(judgements), filler.domain.builders, data)
    return [counted, table(header, rows, "filtered", "ledger")]


def _models(filler: Filler) -> list[str]:
    """The GPU models of other machines, in a column each."""
    verdicts = filler.domain.elsewhere.verdicts
    return sorted({gpu for found in verdicts.values() for gpu in found})


def _group(filler: Filler, page: str) -> nodes.row:
    link = filler.link(filler.env.titles[page].astext(), page)
    entry = nodes.entry("", paragraph(link), morecols=3 + len(_models(filler)))
    return nodes.row("", entry, classes=["group", f"chapter-{_chapter(page)}"])


def _chapter(page: str) -> str:
    return page.partition("/")[0] if "/" in page else "start"


def _ledger_row(filler: Filler, judgement: Judgement) -> nodes.row:
    claim, shown = judgement.claim, nodes.make_id(judgement.verdict.value)
    verdict = f"{MARKS.get(judgement.verdict, '✗')} {_(judgement.verdict.value)}"
    margin = f" ({judgement.margin} bound)" if judgement.margin else ""
    records = filler.domain.library.records
    passes = filler.domain.elsewhere.verdicts.get(claim.id, {})
    found = [finding for finding in judgement.findings if finding.cell]
    expected = (words_of(each.check, claim.scope, records) for each in found)
    cells: tuple[Inline, ...] = (
        filler.claim(claim),
        _lines(expected),
        _lines(map(found_text, found)),
        [span(verdict, "verdict", shown), margin],
        *(_held(passes.get(gpu, {})) for gpu in _models(filler)),
    )
    return row(cells, facets(judgement))


def _held(verdicts: Mapping[str, Sequence[str]]) -> str:
    """In how many passes a claim held, of how many; empty where there is none."""
    return "{}/{}".format(*held(verdicts)) if verdicts else ""


def _lines(texts: Iterable[str]) -> list[nodes.Node]:
    """A line for each check; where lines are lost, as in Markdown, a space stands between."""
    return [part for text in texts for part in (span(text, "check"), nodes.Text(" "))]


def facets(judgement: Judgement) -> list[str]:
    """The classes by which the ledger is filtered: chapter, verdict, scope and builder."""
    claim, record = judgement.claim, judgement.record
    return [
        f"chapter-{_chapter(claim.page)}",
        f"verdict-{nodes.make_id(judgement.verdict.value)}",
        f"scope-{nodes.make_id(claim.scope.text)}",
        f"builder-{nodes.make_id(record.builder.gpu if record else 'none')}",
    ]


def totals(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The site in four figures: claims, examples, corrections, and the builder."""
    domain = filler.domain
    claims, _space, verdicts = verdict_words(domain.judgements).partition(" ")
    machine, _comma, versions = domain.builders.partition(", ")
    figures = [
        (claims, verdicts),
        (str(len(domain.library.examples)), _("runnable examples")),
        (str(len(domain.contradicted)), _("statements in PyTorch’s docs found wrong")),
        (machine, versions),
    ]
    shown = paragraph(classes=["totals"])
    for figure, what in figures:
        shown += span([nodes.strong("", figure), f" {what}"], "total")
        shown += nodes.Text(" ")
    return [shown]
