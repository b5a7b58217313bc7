"""What ``verify`` is asked, and found: claims judged by one pass, in lines and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

from evidence.commands import CommandError
from evidence.judge import kept
from evidence.judge.claim import Claim
from evidence.judge.clear import middles
from evidence.judge.pages import read_folder
from evidence.judge.verdict import Finding, Judgement, Verdict, judge_all, unjudged
from evidence.measure import Failure, Reason, Recording
from evidence.records.address import Records
from evidence.records.model import Builder, Record
from evidence.records.store import checksum, find, record_path
from evidence.records.units import spoken_cell, spoken_value

#: The columns of a terminal.
WIDTH = 100
#: So many claims of which nothing is wrong are shown; more are only counted.
FEW = 20
FINE = (Verdict.HOLDS, Verdict.OUT_OF_SCOPE)

#: What a pass over the examples gave so far, by stem.
Pass: TypeAlias = "Mapping[str, Recording | Failure]"


def questions(
    docs: Path, expressions: Sequence[str], stems: Collection[str]
) -> list[Claim]:
    """The claims of the pages that an expression selects, by page and line.

    :param expressions: parts of an id, a page or a stem, of which any will do; none selects all
    :param stems: the examples that exist
    :raises CommandError: when a claim is written wrongly, or none is selected
    """
    chosen: list[Claim] = []
    problems: list[str] = []
    for page, claims, wrong in read_folder(docs):
        place = f"{docs.name}/{page}.md"
        problems += [f"{place}:{line}: {text}" for line, text in wrong]
        for claim in (claim for claim in claims if _is_selected(claim, expressions)):
            chosen.append(claim)
            problems += [
                f"{place}:{claim.line}: claim {claim.id!r}: no example is called {stem}"
                for stem in sorted(claim.stems - set(stems))
            ]
    if problems:
        raise CommandError("\n".join(["some claims cannot be judged", *problems]))
    if not chosen:
        wanted = " or ".join(map(repr, expressions))
        selected = f" with {wanted} in its id, page or example" if wanted else ""
        raise CommandError(f"there is no claim in {docs}{selected}")
    return chosen


def _is_selected(claim: Claim, expressions: Sequence[str]) -> bool:
    within = (claim.id, claim.page, *claim.stems)
    return not expressions or any(e in text for e in expressions for text in within)


def beyond(result: Recording | Failure, builder: Builder) -> str:
    """Why a machine is none for an example that failed there; empty where it is a failure.

    A GPU that is full although it has as much memory as the recorded one is a failure: another
    process fills it, or the example does.
    """
    if not isinstance(result, Failure):
        return ""
    if result.cause.reason is Reason.SKIPPED:
        return "as it says itself"
    if result.cause.reason is Reason.OUT_OF_MEMORY:
        recorded = find(record_path(result.script.path))
        if recorded and builder.gpu_memory_bytes < recorded.builder.gpu_memory_bytes:
            return "this GPU's memory is too small"
    return ""


def measured(done: Pass) -> dict[str, Record]:
    """The records of a pass, by stem."""
    results = ((stem, r.record) for stem, r in done.items() if isinstance(r, Recording))
    return dict(results)


def answers(claims: Iterable[Claim], done: Pass, builder: Builder) -> list[Judgement]:
    """Judge the claims whose examples a pass has finished, and those out of scope."""
    records = middles(measured(done), done)
    skipped = {stem for stem, result in done.items() if beyond(result, builder)}
    answered = []
    for claim in claims:
        if skipped & claim.stems or not claim.scope.holds_on(builder):
            answered.append(unjudged(claim, Verdict.OUT_OF_SCOPE))
        elif claim.stems <= done.keys():
            answered += judge_all([claim], records)
    return answered


def verified(answers: Iterable[Judgement]) -> bool:
    """Whether every claim in scope held, and there was one."""
    verdicts = {answer.verdict for answer in answers} - {Verdict.OUT_OF_SCOPE}
    return verdicts == {Verdict.HOLDS}


def report(
    judged: Sequence[Judgement], done: Pass, builder: Builder, committed: Records
) -> list[str]:
    """What was found, the worst last; claims that hold or are out of scope where they are few.

    :param committed: the records, by stem
    """
    fine = [answer for answer in judged if answer.verdict in FINE]
    skipped: list[str] = []
    failed: list[str] = []
    for result in done.values():
        if why := beyond(result, builder):
            skipped += f"out of scope, {why}: {result}".splitlines()[:1]
        elif isinstance(result, Failure):
            failed += f"FAILED {result}".splitlines()
    return [
        *_told(fine if len(fine) <= FEW else [], committed),
        *fitted(skipped, most=1),
        *fitted(failed),
        *_told(_differing(judged), committed),
    ]


def _differing(judged: Iterable[Judgement]) -> list[Judgement]:
    """The claims in scope that do not hold."""
    return [answer for answer in judged if answer.verdict not in FINE]


def _told(judged: Iterable[Judgement], committed: Records) -> list[str]:
    """Claims with their verdict and place, and each check that has this verdict."""
    lines = []
    for answer in judged:
        claim = answer.claim
        lines.append(
            f"{answer.verdict.value}: {claim.id} ({claim.page}.md:{claim.line})"
        )
        if answer.problem:
            lines.append(f"    {answer.problem}")
        elif answer.verdict is Verdict.OUT_OF_SCOPE:
            lines.append(f"    its scope: {claim.scope.text}")
        else:
            alike = [f for f in answer.findings if f.verdict is answer.verdict]
            lines += [f"    {_compared(finding, committed)}" for finding in alike]
    return fitted(lines)


def _compared(finding: Finding, committed: Records) -> str:
    """What a check expects, what was measured here, and what is recorded."""
    check, here, there = finding.check, "nothing", "no record"
    value = check.value
    if finding.cell is not None:
        here = spoken_cell(value.quantity, finding.cell)
    record = committed.get(value.stem)
    if record is not None and value.name in record.cells:
        spoken = spoken_value(value.quantity, record.cells[value.name])
        there = f"recorded {spoken} ({record.builder.gpu or 'a CPU'})"
    return f"{value} {check.expect}: {here} here, {there}"


def fitted(lines: Iterable[str], most: int = 4) -> list[str]:
    """Lines of at most 100 columns: what is longer goes on below, and ends after ``most``."""
    wrapped: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        # A hyphen stands in ids, which can be copied only where they are whole.
        how: Any = {"break_on_hyphens": False, "max_lines": most, "placeholder": " …"}
        wrapped += wrap(line, WIDTH, subsequent_indent=indent, **how)
    return wrapped


def end(judged: Sequence[Judgement], target: Path | None) -> list[str]:
    """How many claims there are of each verdict, and how to go on.

    :param target: the file that has what was measured
    """
    counts = Counter(answer.verdict.value for answer in judged).most_common()
    counted = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    lines = [f"{len(judged)} claims: {counted}"]
    for answer in _differing(judged)[:1]:
        lines.append(f"to see one alone: nox -s verify -- -k {answer.claim.id}")
    if target is None:
        lines.append("to keep what is measured: nox -s verify -- --json passes.json")
    else:
        lines.append(f"to send what was measured: nox -s keep -- {target}")
    return lines


def as_passes(
    judged: Sequence[Judgement], done: Pass, builder: Builder, origin: Mapping[str, str]
) -> kept.Passes:
    """What was measured, as a file that can be sent and kept.

    :param origin: the random id of the machine, the day and the commit
    """
    examples = {}
    for stem, result in done.items():
        if not beyond(result, builder):
            values = result.record.measured if isinstance(result, Recording) else {}
            measured = {name: kept.kept(value) for name, value in values.items()}
            examples[stem] = kept.Entry(0, result.script.code_key, measured)
    counts = Counter(answer.verdict for answer in judged)
    run = kept.Run(
        day=origin["day"],
        commit=origin["commit"],
        builder=builder,
        held=counts[Verdict.HOLDS],
        of=counts.total() - counts[Verdict.OUT_OF_SCOPE],
        sent=checksum(repr((origin, examples)).encode()),
    )
    return kept.Passes(
        schema=kept.SCHEMA,
        machine=origin["machine"],
        runs=(run,),
        examples=examples,
        earlier={},
        checksum="",
    )
