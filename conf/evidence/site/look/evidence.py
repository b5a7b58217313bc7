"""How a record and its values look: the line of the builder, tables, what is known of a claim."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias
from urllib.parse import urlencode

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.judge.passes import Elsewhere, held_of
from evidence.judge.verdict import Judgement, Verdict
from evidence.records.model import Cell, Record, Row, Table, Timing
from evidence.records.units import THIN_SPACE, format_cell, format_interval
from evidence.records.versions import release, series
from evidence.site.domain import Judged
from evidence.site.look.nodes import (
    Filler,
    Inline,
    cross_reference,
    file_link,
    grid,
    paragraph,
    span,
    texts,
    with_literals,
)
from evidence.site.look.words import _, answered, builder_facts, day, processes

#: What stands in a line.
Content: TypeAlias = list[str | nodes.Node]
#: What is known of a claim, each with what it is.
Facts: TypeAlias = "Iterator[tuple[str, Inline]]"

#: Class of the tables of measured values.
MEASURED = "measured-table"
#: On the page of an example, a table of so many rows has a field that finds some.
LONG_FROM = 100

MARKS = dict.fromkeys(Verdict, "✗")
MARKS |= {Verdict.HOLDS: "✓", Verdict.OUT_OF_SCOPE: "–"}


def measured_tables(record: Record) -> list[nodes.Node]:
    """All that was measured: single values in one table, each sweep in one of its own."""
    single: list[Sequence[str]] = []
    sweeps: list[nodes.Node] = []
    for name, value in record.measured.items():
        if isinstance(value, Table):
            sweeps += [nodes.rubric(name, name), sweep(value.rows)]
        else:
            single.append((name, measured_text(name, value)))
    header = (_("name"), _("value"))
    return [texts(header, single, MEASURED), *sweeps] if single else sweeps


def sweep(rows: Sequence[Row], header: Sequence[str] = ()) -> grid:
    """A sweep as a table: one row each, its columns as they were measured.

    :param header: what the columns are called, if not by their names
    """
    cells = [[format_cell(*column) for column in row.items()] for row in rows]
    return texts(header or list(rows[0]), cells, *kinds(cells, LONG_FROM))


def kinds(cells: Sequence[Sequence[str]], filtered_from: int) -> list[str]:
    """The classes of a table of measured values: whether it has a filter, whether words."""
    classes = ["recorded", MEASURED]
    if any(" " in text for _first, *others in cells for text in others):
        classes.insert(1, "words")
    if len(cells) >= filtered_from:
        classes.insert(0, "filtered")
    return classes


def measured_text(name: str, cell: Cell) -> str:
    """A value; of a timing with its interval and the number of processes."""
    value = format_cell(name, cell)
    if not isinstance(cell, Timing):
        return value
    text = _("{value} ({interval}), median of {samples}")
    interval, samples = format_interval(name, cell), processes(len(cell.median))
    return text.format(value=value, interval=interval, samples=samples)


def marked(verdict: Verdict) -> str:
    """A verdict in words, with its mark."""
    return f"{MARKS[verdict]}{THIN_SPACE}{_(verdict.value)}"


def verdict_span(verdict: Verdict, text: str) -> nodes.inline:
    """A verdict, or its mark alone, in its colour."""
    return span(text, "verdict", nodes.make_id(verdict.value))


def facts(filler: Filler, claim: Claim, record: Record) -> Facts:
    """What else is known of a claim; what measured it, the examples' pages tell in full."""
    yield _("Documented"), claim.documented
    yield _("By version"), _by_version(filler.judged, claim.id)
    elsewhere = filler.judged.elsewhere
    yield _("Elsewhere"), _elsewhere(elsewhere, claim, sent_in=False)
    yield _("Elsewhere, as sent in"), _elsewhere(elsewhere, claim, sent_in=True)
    if filler.page == claim.page:  # elsewhere it stands below what it contradicts
        yield _("Contradicts"), filler.statements(claim.contradicts)
        if former := filler.site.formerly.get(claim.id):
            text = span(with_literals(former.said), "formerly")
            text["ids"] = [former.anchor] if former.anchor else []
            yield _("Formerly, {versions}").format(versions=former.notes), text
    yield _("Confirms"), filler.statements(claim.confirms)
    if claim.control:
        yield _("Control"), cross_reference(claim.control, claim.control, filler.page)
    scripts: Content = []
    for stem in sorted(claim.stems):
        page = cross_reference(f"{stem}.py", f"evidence-{stem}", filler.page)
        scripts += [page, " · "]
    last = [
        builder_facts(record.builder)[0],
        day(record.recorded, filler.config.language),
        answered(filler.site, claim.stems),
    ]
    yield _("Measured by"), [*scripts, " · ".join(filter(None, last))]
    if filler.page == claim.page:  # what to do with a claim stands where it is made
        yield from _steps(filler, claim, record)


def _steps(filler: Filler, claim: Claim, record: Record) -> Facts:
    """What a reader can do with a claim: check it, report another result, quote it."""
    yield _("On your GPU"), nodes.literal("", f"nox -s verify -- -k {claim.id}")
    if filler.repository:
        verdict = filler.judged.by_id[claim.id].verdict.value
        body = f"docs/{claim.page}.md, {verdict} on {record.builder.gpu}. On my GPU: "
        form = f"issues/new?{urlencode({'title': claim.id, 'body': body})}"
        uri = f"{filler.repository}/{form}"
        yield _("If it differs there"), nodes.reference("", _("report it"), refuri=uri)
    uri = f"claims/{claim.id}.html"
    yield _("Quote"), file_link(_("link, badge, citation, data"), uri, filler.page)


def _elsewhere(elsewhere: Elsewhere, claim: Claim, *, sent_in: bool) -> str:
    """How a claim did on other machines, ours or those of others, by their GPU model."""
    text = _("held in {held} of {passes} passes, on {machines} × {gpu}")
    parts = []
    for (gpu, is_sent_in), outcomes in elsewhere.by_kind(claim.id).items():
        if is_sent_in is not sent_in:
            continue
        held, passes = held_of(outcomes)
        machines = len({outcome.machine for outcome in outcomes})
        parts.append(text.format(held=held, passes=passes, machines=machines, gpu=gpu))
    return "; ".join(parts)


def _by_version(judged: Judged, claim_id: str) -> str:
    """How a claim did with each version of PyTorch, where several measured it, newest first.

    The record's is in sight above. What a version gave that does not hold is told with its values.
    """
    judgement = judged.by_id[claim_id]
    assert judgement.record is not None
    given = defaultdict[str, set[Verdict]](set)
    given[series(judgement.record.builder.torch)].add(judgement.verdict)
    for outcome in judged.elsewhere.outcomes.get(claim_id, ()):
        given[outcome.series].update(outcome.verdicts)
    words = {
        version: _(min(verdicts, key=[*Verdict].index).value)
        for version, verdicts in given.items()
    }
    for version, other in judged.elsewhere.others.get(claim_id, {}).items():
        words.setdefault(version, differing(other))
    newest_first = sorted(words, key=release, reverse=True)
    own = series(judgement.record.builder.torch)
    told = "; ".join(
        f"{version}: {words[version]}" + sent_in(judged, version) * (version != own)
        for version in newest_first
    )
    return told if len(words) > 1 else ""


def sent_in(judged: Judged, version: str) -> str:
    """What stands behind what a PyTorch gave, unless a machine of ours ran it."""
    return "" if version in judged.elsewhere.ours else _(", as sent in")


def differing(judgement: Judgement) -> str:
    """The verdict with another version, and the values that do not hold with it."""
    values = []
    for finding in judgement.findings:
        if finding.verdict is not Verdict.HOLDS and finding.cell is not None:
            value = finding.check.value
            values.append(f"{value.name} {format_cell(value.quantity, finding.cell)}")
    words = _(judgement.verdict.value)
    return f"{words} ({', '.join(values)})" if values else words


def verdict_words(judgements: Sequence[Judgement]) -> str:
    """How many claims there are, and how many of them hold."""
    count = len(judgements)
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in judgements)
    if held == count == 1:
        return _("1 claim holds")
    claims = _("1 claim") if count == 1 else _("{count:,} claims").format(count=count)
    holds = _("all hold") if held == count else _("{held:,} hold").format(held=held)
    return f"{claims}, {holds}"


def strip(counted: str, builders: str, *more: nodes.Node) -> nodes.paragraph:
    """One line over what follows: what was counted, and on which builders."""
    about = f" · {builders} "
    return paragraph(nodes.strong("", counted), about, *more, classes=["strip"])
