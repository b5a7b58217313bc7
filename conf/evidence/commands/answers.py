"""What ``verify`` found: each claim judged in every pass, in lines and as data."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec import to_builtins

from evidence.commands.terminal import columns
from evidence.judge.claim import Check, Claim
from evidence.judge.passes import SCHEMA
from evidence.judge.verdict import (
    WORST,
    Finding,
    Judgement,
    Verdict,
    judge_all,
    unjudged,
)
from evidence.measure.campaign import Failure, Recording
from evidence.records import wire
from evidence.records.address import Records
from evidence.records.compare import spoken_cell, spoken_value
from evidence.records.model import Builder, Cell, Timing

HEADER = ("claim", "expected", "recorded", "yours", "verdict")

#: A text or a message longer than this is cut in the table.
WIDTH = 50

#: What one pass over the examples gave so far, by stem.
Pass: TypeAlias = "MutableMapping[str, Recording | Failure]"


@dataclass(frozen=True)
class Answer:
    """A claim, what the records say, and a judgement for each pass that came to it.

    ``problems`` say why it fits nothing that was measured.
    """

    claim: Claim
    records: Records
    judgements: tuple[Judgement, ...]
    problems: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of all passes: the worst."""
        found = (judgement.verdict for judgement in self.judgements)
        return min(found, key=WORST.index, default=Verdict.OUT_OF_SCOPE)

    def recorded(self, check: Check) -> Cell | None:
        """The value of a check in its record."""
        record = self.records.get(check.value.stem)
        return record.cells.get(check.value.name) if record else None

    def findings(self, number: int) -> list[Finding]:
        """What the passes found for one of its checks."""
        return [judgement.findings[number] for judgement in self.judgements]


def answer(
    claim: Claim, passes: Iterable[Pass], builder: Builder, committed: Records
) -> Answer:
    """Judge a claim in every pass that has finished the examples it rests on."""
    judgements: list[Judgement] = []
    problems: list[str] = []
    for found in passes:
        if not claim.scope.holds_on(builder):
            judgements.append(unjudged(claim, Verdict.OUT_OF_SCOPE))
        elif claim.stems <= found.keys():
            made = (r.record for r in found.values() if isinstance(r, Recording))
            judged, wrong = judge_all([claim], {record.stem: record for record in made})
            judgements += judged or [unjudged(claim, Verdict.MISSING)]
            problems += [problem for _, problem in wrong]
    return Answer(claim, committed, tuple(judgements), tuple(problems))


def verified(answers: Iterable[Answer]) -> bool:
    """Whether every claim in scope held in every pass, and there was one."""
    verdicts = {answer.verdict for answer in answers} - {Verdict.OUT_OF_SCOPE}
    return verdicts == {Verdict.HOLDS}


def table(answers: Sequence[Answer]) -> list[str]:
    """One line for each check of a claim, under a header."""
    rows = [line for answer in answers for line in _lines(answer)]
    return columns([HEADER, *rows]) if rows else []


def _lines(answer: Answer) -> Iterator[tuple[str, ...]]:
    """One line for each check; of several each names its value."""
    claim = answer.claim
    for number, check in enumerate(claim.checks):
        what = f"{check.value.name} " if len(claim.checks) > 1 else ""
        found = answer.findings(number)
        yield (
            "" if number else claim.id,
            f"{what}{check.expect}",
            _recorded(answer, check),
            _yours(check, found),
            _verdicts(found),
        )


def _recorded(answer: Answer, check: Check) -> str:
    record, cell = answer.records.get(check.value.stem), answer.recorded(check)
    if record is None or cell is None:
        return "no record"
    # A fresh record has the key of the code as it is now.
    fresh = (j.record for j in answer.judgements if j.record is not None)
    stale = any(
        found.stem == record.stem and found.code_key != record.code_key
        for found in fresh
    )
    where = f"{record.builder.gpu or 'a CPU'}{', stale' if stale else ''}"
    return f"{_short(spoken_value(check.value.quantity, cell))} ({where})"


def _yours(check: Check, findings: Sequence[Finding]) -> str:
    name = check.value.quantity
    cells = [finding.cell for finding in findings if finding.cell is not None]
    timings = [cell for cell in cells if isinstance(cell, Timing)]
    texts = dict.fromkeys(spoken_cell(name, cell) for cell in cells)
    if len(texts) < 2 or len(timings) < len(cells):
        return _short(", ".join(texts)) or "–"
    # Of several passes: the median of their values, and all that their intervals cover.
    low = min(timing.interval.low for timing in timings)
    high = max(timing.interval.high for timing in timings)
    value = statistics.median(timing.value for timing in timings)
    return spoken_cell(name, Timing((low, value, high), iqr=(0, 0, 0), n=(1, 1, 1)))


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def _verdicts(findings: Sequence[Finding]) -> str:
    counted = Counter(finding.verdict.value for finding in findings).most_common()
    if len(findings) == 1:
        return counted[0][0]
    return ", ".join(f"{verdict} {count}/{len(findings)}" for verdict, count in counted)


def failures(passes: Sequence[Pass], answers: Iterable[Answer]) -> list[str]:
    """Examples that failed, with their cause, and claims that fit nothing measured."""
    results = [result for found in passes for result in found.values()]
    counted = Counter(str(result) for result in results if isinstance(result, Failure))
    counted.update(problem for answer in answers for problem in answer.problems)
    if len(passes) == 1:
        return [f"FAILED {text}" for text in counted]
    return [f"FAILED in {n} of {len(passes)} passes: {t}" for t, n in counted.items()]


def summary(answers: Sequence[Answer]) -> str:
    """How many claims there are of each verdict."""
    count = Counter(answer.verdict for answer in answers)
    # What was measured just now is never stale.
    told = [verdict for verdict in Verdict if verdict is not Verdict.STALE]
    counted = (f"{count[verdict]} {verdict.value}" for verdict in told)
    return f"{len(answers)} claims: {', '.join(counted)}"


def as_data(
    answers: Iterable[Answer], passes: Iterable[Pass], builder: Builder
) -> dict[str, Any]:
    """What a file of passes says of them; the verdicts are for people."""
    return {
        "schema": SCHEMA,
        "builder": to_builtins(builder),
        "passes": [
            {stem: _entry(result) for stem, result in found.items()} for found in passes
        ],
        "claims": {
            answer.claim.id: [
                judgement.verdict.value for judgement in answer.judgements
            ]
            for answer in answers
        },
    }


def _entry(result: Recording | Failure) -> dict[str, Any]:
    made = result.record.measured if isinstance(result, Recording) else {}
    return {"code_key": result.script.code_key, "measured": wire.wrapped(made)}
