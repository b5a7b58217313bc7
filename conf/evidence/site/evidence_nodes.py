"""How a record and its values look: the line of the builder, tables, a claim's evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from evidence.judge.report import expected_words
from evidence.judge.verdict import Verdict
from evidence.records.model import Table, Timing
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
    paragraph,
    span,
    summary,
    table,
)
from evidence.site.placeholder import file_link
from evidence.site.words import _, day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evidence.examples.library import Example, Library
    from evidence.judge.claim import Claim
    from evidence.judge.verdict import Judgement
    from evidence.records.model import Builder, Record, Value
    from evidence.site.placeholder import Filler

MARKS = {Verdict.HOLDS: "✓", Verdict.OUT_OF_SCOPE: "–"}


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
        facts.append(_("virtual machine"))
    return facts


def builders_words(library: Library, language: str) -> str:
    """What measured the site's records, and when last: for the foot of every page."""
    records = library.records.values()
    if not records:
        return ""
    gpus = sorted({record.builder.gpu for record in records if record.builder.gpu})
    versions = sorted({record.builder.torch.partition("+")[0] for record in records})
    newest = max(record.recorded for record in records)
    return _("{gpus}, torch {versions}, last on {day}").format(
        gpus=_(" and ").join(gpus) or _("a CPU"),
        versions=_(" and ").join(versions),
        day=day(newest, language),
    )


def builder_line(
    example: Example, record: Record, page: str, language: str
) -> nodes.paragraph:
    """One line: the builder, the date, how many processes, the record itself."""
    count = _("{count} processes").format(count=len(record.processes))
    facts = [*builder_facts(record.builder), day(record.recorded, language), count, ""]
    return paragraph(
        nodes.Text(" · ".join(facts)),
        file_link(_("record"), example.published, page),
        classes=["builder"],
    )


def measured_tables(record: Record) -> list[nodes.Node]:
    """All that was measured: single values in one table, each sweep in one of its own."""
    single = {n: v for n, v in record.measured.items() if not isinstance(v, Table)}
    shown: list[nodes.Node] = []
    if single:
        rows = [
            (
                name,
                format_cell(name, cell),
                interval_text(name, cell),
                samples_text(cell),
            )
            for name, cell in single.items()
        ]
        header = (_("name"), _("value"), _("interval"), _("samples"))
        shown.append(table(header, rows))
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


def interval_text(name: str, cell: Value) -> str:
    """The interval of a timing, and nothing for what does not vary."""
    if not isinstance(cell, Timing):
        return ""
    digits = digits_for(cell.value, cell.interval)
    return format_interval(cell.interval, unit_of(name), digits)


def samples_text(cell: Value) -> str:
    """In how many processes a value was taken."""
    if not isinstance(cell, Timing):
        return ""
    return _("{count} processes").format(count=len(cell.median))


def words_of(claim: Claim, records: Mapping[str, Record]) -> str:
    """What a claim expects, in the words of the site's language."""
    return expected_words(claim, records, _)


def claim_evidence(filler: Filler, claim_id: str) -> list[nodes.Node]:
    """The line under a claim, which opens to everything that is known of it."""
    judgement = filler.domain.judged.get(claim_id)
    if judgement is None:  # why it could not be judged is reported
        return []
    if judgement.record is None or judgement.cell is None:
        missing = span(_("no record"), "verdict", "missing")
        return [details("", summary("", "", missing), classes=["evidence"])]
    words = words_of(judgement.claim, filler.domain.library.records)
    line = summary("", "", *_summary_line(judgement, words))
    facts = definitions(_facts(filler, judgement, words), ["evidence-facts"])
    return [details("", line, facts, classes=["evidence"])]


def _facts(
    filler: Filler, judgement: Judgement, words: str
) -> list[tuple[str, Sequence[nodes.Node]]]:
    claim, record = judgement.claim, judgement.record
    assert record is not None
    example = filler.domain.library.examples[claim.value.stem]
    label = f"evidence-{example.stem}"
    script = cross_reference(example.path.name, label, filler.page)
    texts = (
        (_("Documented"), claim.documented),
        (_("Expected"), words),
        (_("Measured"), measured_text(judgement)),
        (_("Contradicts"), ", ".join(claim.contradicts)),
    )
    told = [(term, [nodes.Text(text)] if text else []) for term, text in texts]
    control = [cross_reference(claim.control, claim.control, filler.page)]
    recorded = day(record.recorded, filler.config.language)
    return [
        *told,
        (_("Control"), control if claim.control else []),
        (_("Builder"), [nodes.Text(" · ".join(builder_facts(record.builder)))]),
        (
            _("Script"),
            [script, nodes.Text(" · "), filler.file(_("record"), example.published)],
        ),
        (_("Recorded"), [nodes.Text(recorded)]),
        (_("On your GPU"), [nodes.literal("", f"nox -s verify -- -k {claim.id}")]),
        (
            _("Link"),
            [nodes.reference("", f"#{claim.id}", refid=claim.id, internal=True)],
        ),
    ]


def measured_text(judgement: Judgement) -> str:
    """A claim's value with its interval and the number of processes."""
    name, cell = judgement.claim.value.quantity, judgement.cell
    assert cell is not None
    interval, value = interval_text(name, cell), format_cell(name, cell)
    if not interval:
        return value
    return _("{value} ({interval}), median of {samples}").format(
        value=value, interval=interval, samples=samples_text(cell)
    )


def _summary_line(judgement: Judgement, words: str) -> list[nodes.Node]:
    name, cell, verdict = (
        judgement.claim.value.quantity,
        judgement.cell,
        judgement.verdict,
    )
    assert cell is not None
    text = f"{MARKS.get(verdict, '✗')}{THIN_SPACE}{words}"
    if verdict is not Verdict.HOLDS:
        text += f": {_(verdict.value)}"
    line: list[nodes.Node] = [
        span(text, "verdict", css(verdict)),
        nodes.Text(f" {_('measured')} "),
        nodes.strong("", format_cell(name, cell)),
    ]
    if isinstance(cell, Timing):
        spread = f" {interval_text(name, cell)} · {samples_text(cell)}"
        line.append(span(spread, "spread"))
    return [*line, span(_("evidence"), "more")]


def css(verdict: Verdict) -> str:
    """A verdict as a CSS class."""
    return verdict.value.replace(" ", "-")
