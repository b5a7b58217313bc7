"""How a record and its values look: the line of the builder, tables, a claim's evidence."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from docutils import nodes

from evidence.judge.report import expected_words
from evidence.judge.verdict import Verdict
from evidence.records.model import Cell, Table, Timing
from evidence.records.units import (
    THIN_SPACE,
    digits_for,
    format_cell,
    format_interval,
    unit_of,
)
from evidence.site.nodes import (
    cross_reference,
    definitions,
    details,
    download,
    paragraph,
    span,
    summary,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evidence.examples.library import Example, Library
    from evidence.judge.verdict import Judgement
    from evidence.records.model import Builder, Record, Value

MARKS = {Verdict.HOLDS: "✓", Verdict.OUT_OF_SCOPE: "–"}


def day(date: str) -> str:
    """An ISO date as a reader writes it: 21 November 2026."""
    parsed = datetime.date.fromisoformat(date)
    return f"{parsed.day} {parsed:%B %Y}"


def builder_facts(builder: Builder) -> list[str]:
    """What a reader needs to know of the machine, most telling first."""
    facts = [builder.gpu or builder.cpu]
    if builder.pcie_generation:
        facts.append(f"PCIe {builder.pcie_generation} ×{builder.pcie_width}")
    named = (
        ("torch", builder.torch),
        ("driver", builder.driver),
        ("CUDA", builder.cuda),
    )
    facts += [f"{name} {version}" for name, version in named if version]
    if builder.virtualisation == "virtual machine":
        facts.append(builder.virtualisation)
    return facts


def builder_line(library: Library, example: Example) -> nodes.paragraph:
    """One line: the builder, the date, how many processes, the record itself."""
    record = example.record
    assert record is not None
    facts = [*builder_facts(record.builder), day(record.recorded)]
    facts.append(f"{len(record.processes)} processes")
    return paragraph(
        nodes.Text(" · ".join(facts) + " · "),
        record_link(library, example),
        classes=["builder"],
    )


def record_link(library: Library, example: Example) -> nodes.Node:
    """A link that downloads the record."""
    path = library.shown(example.record_path)
    return download("record", f"../{path}")


def measured_tables(record: Record) -> list[nodes.Node]:
    """All that was measured: single values in one table, each sweep in one of its own."""
    single = {n: v for n, v in record.measured.items() if not isinstance(v, Table)}
    shown: list[nodes.Node] = []
    if single:
        rows = [(name, *_columns(name, cell)) for name, cell in single.items()]
        shown.append(table(("name", "value", "interval", "samples"), rows))
    for name, value in record.measured.items():
        if isinstance(value, Table):
            shown += [nodes.rubric(name, name), sweep(value)]
    return shown


def sweep(value: Table) -> nodes.table:
    """A sweep as a table: one row each, its columns as they were measured."""
    header = list(value.rows[0])
    return table(
        header,
        ([format_cell(name, row[name]) for name in header] for row in value.rows),
    )


def _columns(name: str, cell: Cell) -> tuple[str, str, str]:
    return format_cell(name, cell), interval_text(name, cell), samples_text(cell)


def interval_text(name: str, cell: Value) -> str:
    """The interval of a timing, and nothing for what does not vary."""
    if not isinstance(cell, Timing):
        return ""
    digits = digits_for(cell.value, cell.interval)
    return format_interval(cell.interval, unit_of(name), digits)


def samples_text(cell: Value) -> str:
    """In how many processes a value was taken."""
    return f"{len(cell.median)} processes" if isinstance(cell, Timing) else ""


def evidence(judgement: Judgement, library: Library, docname: str) -> details:
    """The line under a claim, which opens to everything that is known of it."""
    claim, record = judgement.claim, judgement.record
    if record is None or judgement.cell is None:
        line = summary("", "", span("no record", "verdict", "missing"))
        return details("", line, classes=["evidence"])
    words = expected_words(claim, library.records)
    line = summary("", "", *_summary_line(judgement, words))
    example = library.examples[claim.stem]
    script = cross_reference(example.path.name, f"evidence-{claim.stem}", docname)
    contradicts = ", ".join(claim.contradicts)
    entries: list[tuple[str, Sequence[nodes.Node]]] = [
        ("Documented", [nodes.Text(claim.documented)] if claim.documented else []),
        ("Expected", [nodes.Text(words)]),
        ("Measured", [nodes.Text(_measured(judgement))]),
        ("Contradicts", [nodes.Text(contradicts)] if contradicts else []),
        ("Control", _control(claim.control, docname)),
        ("Builder", [nodes.Text(" · ".join(builder_facts(record.builder)))]),
        ("Script", [script, nodes.Text(" · "), record_link(library, example)]),
        ("Recorded", [nodes.Text(day(record.recorded))]),
        ("On your GPU", [nodes.literal("", f"nox -s verify -- -k {claim.id}")]),
        ("Link", [nodes.reference("", f"#{claim.id}", refid=claim.id, internal=True)]),
    ]
    facts = definitions(entries, ["evidence-facts"])
    return details("", line, facts, classes=["evidence"])


def _control(claim: str, docname: str) -> list[nodes.Node]:
    return [cross_reference(claim, claim, docname)] if claim else []


def _measured(judgement: Judgement) -> str:
    name, cell = judgement.claim.name, judgement.cell
    assert cell is not None
    interval, samples = interval_text(name, cell), samples_text(cell)
    value = format_cell(name, cell)
    return f"{value} ({interval}), median of {samples}" if interval else value


def _summary_line(judgement: Judgement, words: str) -> list[nodes.Node]:
    claim, cell, verdict = judgement.claim, judgement.cell, judgement.verdict
    assert cell is not None
    text = f"{MARKS.get(verdict, '✗')}{THIN_SPACE}{words}"
    if verdict is not Verdict.HOLDS:
        text += f": {verdict.value}"
    line: list[nodes.Node] = [
        span(text, "verdict", css(verdict)),
        nodes.Text(" measured "),
        nodes.strong("", format_cell(claim.name, cell)),
    ]
    if isinstance(cell, Timing):
        spread = f" {interval_text(claim.name, cell)} · {samples_text(cell)}"
        line.append(span(spread, "spread"))
    return [*line, span("evidence", "more")]


def css(verdict: Verdict) -> str:
    """A verdict as a CSS class."""
    return verdict.value.replace(" ", "-")
