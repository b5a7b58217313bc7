"""What ``verify`` found: each claim judged in every pass, in lines and as data."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec import to_builtins

from evidence.commands.terminal import columns
from evidence.judge.claim import Claim
from evidence.judge.passes import SCHEMA
from evidence.judge.verdict import Judgement, Verdict, judge_all
from evidence.measure.campaign import Failure, Recording
from evidence.records import wire
from evidence.records.address import Records
from evidence.records.compare import spoken_cell, spoken_value
from evidence.records.model import Builder, Record, Timing

HEADER = ("claim", "expected", "recorded", "yours", "verdict")

#: A text or a message longer than this is cut in the table.
WIDTH = 50

#: What counts of a claim that several passes judge differently: the first of these.
WORST = (Verdict.MISSING, Verdict.DIVERGED, Verdict.NOISY, Verdict.HOLDS)

#: What one pass over the examples gave so far, by stem.
Pass: TypeAlias = "MutableMapping[str, Recording | Failure]"


@dataclass(frozen=True)
class Answer:
    """A claim, what its record says, and a judgement for each pass that came to it.

    ``problems`` say why it fits nothing that was measured.
    """

    claim: Claim
    record: Record | None
    judgements: tuple[Judgement, ...]
    problems: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of all passes: the worst."""
        found = {judgement.verdict for judgement in self.judgements}
        return next((v for v in WORST if v in found), Verdict.OUT_OF_SCOPE)


def answer(
    claim: Claim, passes: Iterable[Pass], builder: Builder, committed: Records
) -> Answer:
    """Judge a claim in every pass that has finished the examples it rests on."""
    judgements: list[Judgement] = []
    problems: list[str] = []
    for found in passes:
        if not claim.scope.holds_on(builder):
            judgements.append(Judgement(claim, Verdict.OUT_OF_SCOPE))
        elif claim.stems <= found.keys():
            made = (r.record for r in found.values() if isinstance(r, Recording))
            judged, wrong = judge_all([claim], {record.stem: record for record in made})
            judgements += judged or [Judgement(claim, Verdict.MISSING)]
            problems += [problem for _, problem in wrong]
    record = committed.get(claim.value.stem)
    return Answer(claim, record, tuple(judgements), tuple(problems))


def verified(answers: Iterable[Answer]) -> bool:
    """Whether every claim in scope held in every pass, and there was one."""
    verdicts = {answer.verdict for answer in answers} - {Verdict.OUT_OF_SCOPE}
    return verdicts == {Verdict.HOLDS}


def table(answers: Sequence[Answer]) -> list[str]:
    """One line for each claim, under a header."""
    rows = [
        (a.claim.id, a.claim.expect, _recorded(a), _yours(a), _verdicts(a))
        for a in answers
    ]
    return columns([HEADER, *rows]) if rows else []


def _recorded(answer: Answer) -> str:
    record = answer.record
    cell = record.cells.get(answer.claim.value.name) if record else None
    if record is None or cell is None:
        return "no record"
    # A fresh record has the key of the code as it is now.
    fresh = (j.record for j in answer.judgements if j.record is not None)
    stale = any(found.code_key != record.code_key for found in fresh)
    where = f"{record.builder.gpu or 'a CPU'}{', stale' if stale else ''}"
    return f"{_short(spoken_value(answer.claim.value.quantity, cell))} ({where})"


def _yours(answer: Answer) -> str:
    name = answer.claim.value.quantity
    cells = [j.cell for j in answer.judgements if j.cell is not None]
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


def _verdicts(answer: Answer) -> str:
    passes = len(answer.judgements)
    counted = Counter(j.verdict.value for j in answer.judgements).most_common()
    if passes == 1:
        return counted[0][0]
    return ", ".join(f"{verdict} {count}/{passes}" for verdict, count in counted)


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
