"""The ledger: every claim of the site in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from docutils import nodes

from evidence.judge.verdict import Judgement, Verdict
from evidence.records.model import Cell, Raised
from evidence.records.units import format_cell
from evidence.site.evidence_nodes import (
    MARKS,
    css,
    held,
    interval_text,
    verdict_words,
    words_of,
)
from evidence.site.nodes import Inline, paragraph, row, span, strong, table_of
from evidence.site.placeholder import Filler
from evidence.site.words import _, day


def ledger(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Every claim, grouped by page: expected, measured, interval, verdict."""
    rows: list[nodes.row] = []
    judgements = filler.domain.judgements
    for page, judged in groupby(judgements, lambda judgement: judgement.claim.page):
        rows += [_group(filler, page), *(_ledger_row(filler, each) for each in judged)]
    own = (_("Claim"), _("Expected"), _("Measured"), _("Interval"), _("Verdict"))
    header = (*own, *_models(filler))
    return [_counts(filler), table_of(header, rows, "ledger")]


def _models(filler: Filler) -> list[str]:
    """The GPU models of other machines, in a column each."""
    verdicts = filler.domain.elsewhere.verdicts
    return sorted({gpu for found in verdicts.values() for gpu in found})


def _counts(filler: Filler) -> nodes.paragraph:
    domain = filler.domain
    counted = Counter(judgement.verdict for judgement in domain.judgements)
    found = [(counted[verdict], _(verdict.value)) for verdict in Verdict]
    figures = [(counted.total(), _("claims")), *found]
    items = [_figure(str(count), what, "item") for count, what in figures if count]
    builders = {record.builder.gpu for record in domain.library.records.values()}
    machines = span(", ".join(sorted(builders)), "item")
    data = filler.file("claims.json")
    return paragraph(*items, machines, data, classes=["strip"])


def _figure(figure: str, what: str, css_class: str) -> nodes.inline:
    return span([strong(figure), f" {what}"], css_class)


def _group(filler: Filler, page: str) -> nodes.row:
    link = filler.link(filler.title(page), page)
    entry = nodes.entry("", paragraph(link), morecols=4 + len(_models(filler)))
    return nodes.row("", entry, classes=["group", f"chapter-{_chapter(page)}"])


def _chapter(page: str) -> str:
    return page.partition("/")[0] if "/" in page else "start"


def _ledger_row(filler: Filler, judgement: Judgement) -> nodes.row:
    claim, shown = judgement.claim, css(judgement.verdict)
    verdict = f"{MARKS.get(judgement.verdict, '✗')} {_(judgement.verdict.value)}"
    margin = f" ({judgement.margin} bound)" if judgement.margin else ""
    records = filler.domain.library.records
    passes = filler.domain.elsewhere.verdicts.get(claim.id, {})
    found = [(f, f.check.value.quantity, f.cell) for f in judgement.findings if f.cell]
    cells: tuple[Inline, ...] = (
        filler.claim(claim),
        _lines(words_of(each.check, claim.scope, records) for each, _, _ in found),
        _lines(strong(_brief(name, cell)) for _, name, cell in found) or strong("–"),
        _lines(interval_text(name, cell) for _, name, cell in found),
        [span(verdict, "verdict", shown), margin],
        *("{}/{}".format(*held(passes.get(gpu, {}))) for gpu in _models(filler)),
    )
    return row(cells, facets(judgement))


def _lines(contents: Iterable[Inline]) -> list[nodes.Node]:
    """One line for each check of a claim."""
    return [span(content, "check") for content in contents]


def facets(judgement: Judgement) -> list[str]:
    """The classes by which the ledger is filtered: chapter, verdict, scope and builder."""
    claim, record = judgement.claim, judgement.record
    return [
        f"chapter-{_chapter(claim.page)}",
        f"verdict-{css(judgement.verdict)}",
        f"scope-{nodes.make_id(claim.scope.text)}",
        f"builder-{nodes.make_id(record.builder.gpu if record else 'none')}",
    ]


def _brief(name: str, cell: Cell) -> str:
    """A value for a narrow column: of an exception only its type."""
    return cell.type if isinstance(cell, Raised) else format_cell(name, cell)


def totals(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The site in four figures: claims, examples, corrections, and the builder."""
    domain = filler.domain
    records = domain.library.records.values()
    judged = domain.judgements
    figures = [
        (str(len(judged)), f"{_('claims')}, {verdict_words(judged)}"),
        (str(len(domain.library.examples)), _("examples, each run")),
        (str(len(domain.contradicted)), _("statements of PyTorch's notes found wrong")),
    ]
    if records:
        newest = max(records, key=lambda record: record.recorded)
        torch = newest.builder.torch.partition("+")[0]
        date = day(newest.recorded, filler.config.language)
        machine = newest.builder.gpu.removeprefix("NVIDIA ")
        figures.append((machine, f"torch {torch} · {date}"))
    items = [_figure(figure, what, "total") for figure, what in figures]
    return [paragraph(*items, classes=["totals"])]
