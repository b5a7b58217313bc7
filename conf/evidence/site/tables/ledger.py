"""The ledger: every claim of the site in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from evidence.judge.report import expected_words, statement
from evidence.judge.verdict import Judgement, Verdict
from evidence.records.model import Cell, Raised
from evidence.records.units import format_cell
from evidence.site.evidence_nodes import MARKS, css, day, interval_text
from evidence.site.nodes import paragraph, row, span, table_of

if TYPE_CHECKING:
    from evidence.site.tables.filler import Filler


def ledger(filler: Filler) -> list[nodes.Node]:
    """Every claim, grouped by page: documented, measured, interval, verdict."""
    rows: list[nodes.row] = []
    page = ""
    for judgement in filler.domain.judgements:
        if judgement.claim.page != page:
            page = judgement.claim.page
            rows.append(_group(filler, page))
        rows.append(_ledger_row(filler, judgement))
    header = ("Claim", "Documented", "Measured", "Interval", "Verdict")
    return [_counts(filler), table_of(header, rows, classes=["ledger"])]


def _counts(filler: Filler) -> nodes.paragraph:
    verdicts = [judgement.verdict for judgement in filler.domain.judgements]
    counted = [(verdicts.count(verdict), verdict.value) for verdict in Verdict]
    items = [(len(verdicts), "claims"), *(entry for entry in counted if entry[0])]
    builders = {r.builder.gpu for r in filler.domain.library.records.values()}
    machines = span(", ".join(sorted(builders)), "item")
    spans = [
        nodes.inline(
            "",
            "",
            nodes.strong("", str(count)),
            nodes.Text(f" {name}"),
            classes=["item"],
        )
        for count, name in items
    ]
    return paragraph(*spans, machines, filler.file("claims.json"), classes=["strip"])


def _group(filler: Filler, page: str) -> nodes.row:
    entry = nodes.entry(
        "", paragraph(filler.link(filler.title(page), page)), morecols=4
    )
    return nodes.row("", entry, classes=["group", f"chapter-{_chapter(page)}"])


def _chapter(page: str) -> str:
    return page.partition("/")[0] if "/" in page else "start"


def _ledger_row(filler: Filler, judgement: Judgement) -> nodes.row:
    claim, cell, record = judgement.claim, judgement.cell, judgement.record
    records = filler.domain.library.records
    sentence = statement(claim, records)
    verdict = f"{MARKS.get(judgement.verdict, '✗')} {judgement.verdict.value}"
    margin = f" ({judgement.margin} bound)" if judgement.margin else ""
    cells: list[list[nodes.Node]] = [
        [filler.link(sentence, claim.page, claim.id)],
        [nodes.Text(expected_words(claim, records) if cell else claim.expect)],
        [nodes.strong("", _brief(claim.name, cell) if cell else "–")],
        [nodes.Text(interval_text(claim.name, cell) if cell else "")],
        [span(verdict, "verdict", css(judgement.verdict)), nodes.Text(margin)],
    ]
    made = row(cells)
    made["classes"] = [
        f"chapter-{_chapter(claim.page)}",
        f"verdict-{css(judgement.verdict)}",
        f"scope-{nodes.make_id(claim.scope)}",
        f"builder-{nodes.make_id(record.builder.gpu if record else 'none')}",
    ]
    return made


def _brief(name: str, cell: Cell) -> str:
    """A value for a narrow column: of an exception only its type."""
    return cell.type if isinstance(cell, Raised) else format_cell(name, cell)


def totals(filler: Filler) -> list[nodes.Node]:
    """The site in four figures: claims, examples, corrections, and the builder."""
    domain = filler.domain
    verdicts = [judgement.verdict for judgement in domain.judgements]
    held = verdicts.count(Verdict.HOLDS)
    wrong = sum(bool(claim.contradicts) for claim in domain.claims)
    newest = max(
        domain.library.records.values(),
        key=lambda record: record.recorded,
        default=None,
    )
    figures = [
        (
            str(len(verdicts)),
            "claims, all hold" if held == len(verdicts) else f"claims, {held} hold",
        ),
        (str(len(domain.library.examples)), "examples, each run"),
        (str(wrong), "statements of PyTorch's notes found wrong"),
    ]
    if newest is not None:
        torch = newest.builder.torch.partition("+")[0]
        machine = newest.builder.gpu.removeprefix("NVIDIA ")
        figures.append((machine, f"torch {torch} · {day(newest.recorded)}"))
    items = [
        nodes.inline(
            "", "", nodes.strong("", figure), nodes.Text(f" {what}"), classes=["total"]
        )
        for figure, what in figures
    ]
    return [paragraph(*items, classes=["totals"])]
