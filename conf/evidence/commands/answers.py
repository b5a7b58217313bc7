"""What ``verify`` is asked, and found: claims judged by one pass, in lines and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import to_builtins

from evidence.commands import CommandError, columns
from evidence.judge.claim import Claim, read_claims
from evidence.judge.passes import SCHEMA
from evidence.judge.verdict import Judgement, Verdict, judge_all, unjudged
from evidence.measure.recording import Failure, Reason, Recording
from evidence.records import wire
from evidence.records.address import Address, Records
from evidence.records.compare import spoken_cell, spoken_value
from evidence.records.model import Builder
from evidence.records.store import find, record_path

#: The folder of generated pages, which state nothing of their own.
GENERATED = "gallery"


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
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if page.startswith(f"{GENERATED}/"):
            continue
        claims, wrong = read_claims(path.read_text("utf-8"), page)
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
    within = (claim.id, claim.page, claim.stem)
    return not expressions or any(e in text for e in expressions for text in within)


HEADER = ("claim", "expected", "recorded", "yours", "verdict")

#: What a pass over the examples gave so far, by stem.
Pass: TypeAlias = "Mapping[str, Recording | Failure]"


TOO_SMALL = "this GPU's memory is too small"


def beyond(result: Recording | Failure, builder: Builder) -> str:
    """Why a machine is none for an example that failed there; empty where it is a failure.

    A GPU that is full although it has as much memory as the recorded one is a failure: another
    process fills it, or the example does.
    """
    if not isinstance(result, Failure):
        return ""
    match result.cause.reason:
        case Reason.SKIPPED:
            return "as it says itself"
        case Reason.OUT_OF_MEMORY:
            recorded = find(record_path(result.script.path))
            needed = recorded.builder.gpu_memory_bytes if recorded else 0
            return TOO_SMALL if builder.gpu_memory_bytes < needed else ""
    return ""


def answers(claims: Iterable[Claim], done: Pass, builder: Builder) -> list[Judgement]:
    """Judge the claims whose examples a pass has finished, and those out of scope."""
    recordings = [r for r in done.values() if isinstance(r, Recording)]
    records = {recording.script.stem: recording.record for recording in recordings}
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


def table(answers: Sequence[Judgement], committed: Records) -> list[str]:
    """One line for each check of a claim, under a header; ``committed`` are the records."""
    rows = [line for answer in answers for line in _lines(answer, committed)]
    return columns([HEADER, *rows]) if rows else []


def _lines(judgement: Judgement, committed: Records) -> Iterator[tuple[str, ...]]:
    """One line for each check; of several each names its value."""
    for number, finding in enumerate(judgement.findings):
        check, cell = finding.check, finding.cell
        what = f"{check.value.name} " if len(judgement.findings) > 1 else ""
        yield (
            "" if number else judgement.claim.id,
            f"{what}{check.expect}",
            _recorded(check.value, committed),
            "–" if cell is None else spoken_cell(check.value.quantity, cell),
            finding.verdict.value,
        )


def _recorded(address: Address, records: Records) -> str:
    record = records.get(address.stem)
    if record is None or address.name not in record.cells:
        return "no record"
    spoken = spoken_value(address.quantity, record.cells[address.name])
    return f"{spoken} ({record.builder.gpu or 'a CPU'})"


def failures(done: Pass, answers: Iterable[Judgement], builder: Builder) -> list[str]:
    """Examples that failed, with their cause, and claims that fit nothing measured."""
    failed = (result for result in done.values() if isinstance(result, Failure))
    reasons = [(result, beyond(result, builder)) for result in failed]
    causes = [
        f"OUT OF SCOPE, {why}: {r}" if why else f"FAILED {r}" for r, why in reasons
    ]
    return causes + [f"FAILED {a.problem}" for a in answers if a.problem]


def summary(answers: Sequence[Judgement]) -> str:
    """How many claims there are of each verdict, the most frequent first."""
    counts = Counter(answer.verdict.value for answer in answers).most_common()
    counted = ", ".join(f"{count} {verdict}" for verdict, count in counts)
    return f"{len(answers)} claims: {counted}"


def as_data(
    answers: Iterable[Judgement], done: Pass, builder: Builder
) -> dict[str, Any]:
    """What a file of passes says of this one; the verdicts are for people."""
    entries = {
        stem: _entry(result)
        for stem, result in done.items()
        if not beyond(result, builder)
    }
    return {
        "schema": SCHEMA,
        "builder": to_builtins(builder),
        "passes": [entries],
        "claims": {answer.claim.id: [answer.verdict.value] for answer in answers},
    }


def _entry(result: Recording | Failure) -> dict[str, Any]:
    measured = result.record.measured if isinstance(result, Recording) else {}
    return {"code_key": result.script.code_key, "measured": wire.packed(measured)}
