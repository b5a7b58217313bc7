"""What ``verify`` found: each claim judged in every pass, in lines and as data."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import to_builtins

from evidence.commands.terminal import columns
from evidence.judge.claim import Claim
from evidence.judge.report import measured_data
from evidence.judge.verdict import Judgement, Verdict, judge_all
from evidence.records.compare import spoken_cell, spoken_number, spoken_value
from evidence.records.model import Builder, Cell, Interval, Record, Timing

HEADER = ("claim", "expected", "recorded", "yours", "verdict")

#: A text or a message longer than this is cut in the table.
WIDTH = 50

#: What counts of a claim that several passes judge differently: the first of these.
WORST = (Verdict.MISSING, Verdict.DIVERGED, Verdict.NOISY, Verdict.HOLDS)


@dataclass
class Pass:
    """What one pass over the examples gave so far, by stem.

    ``problems`` are claims that fit nothing that was measured, by id.
    """

    records: dict[str, Record] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """A claim, what its record says, and a judgement for each pass that came to it."""

    claim: Claim
    record: Record | None
    recorded: Cell | None
    judgements: tuple[Judgement, ...]

    @property
    def verdict(self) -> Verdict:
        """The verdict of all passes: the worst."""
        found = {judgement.verdict for judgement in self.judgements}
        return next((v for v in WORST if v in found), Verdict.OUT_OF_SCOPE)


def answer(
    claim: Claim,
    passes: Iterable[Pass],
    builder: Builder,
    committed: Mapping[str, Record],
) -> Answer:
    """Judge a claim in every pass that has finished the examples it rests on."""
    record = committed.get(claim.value.stem)
    recorded = None if record is None else record.cells.get(claim.value.name)
    judgements = (_judge_in(claim, found, builder) for found in passes)
    return Answer(claim, record, recorded, tuple(filter(None, judgements)))


def _judge_in(claim: Claim, found: Pass, builder: Builder) -> Judgement | None:
    if not claim.scope.holds_on(builder):
        return Judgement(claim, Verdict.OUT_OF_SCOPE)
    if not claim.stems <= found.records.keys() | found.failures.keys():
        return None
    judgements, problems = judge_all([claim], found.records)
    for _, problem in problems:
        found.problems[claim.id] = problem
    return judgements[0] if judgements else Judgement(claim, Verdict.MISSING)


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
    record, cell = answer.record, answer.recorded
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
    ends = [timing.interval for timing in timings]
    hull = Interval(min(end.low for end in ends), max(end.high for end in ends))
    return spoken_number(name, statistics.median(t.value for t in timings), hull)


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"


def _verdicts(answer: Answer) -> str:
    passes = len(answer.judgements)
    counted = Counter(j.verdict.value for j in answer.judgements).most_common()
    if passes == 1:
        return counted[0][0]
    return ", ".join(f"{verdict} {count}/{passes}" for verdict, count in counted)


def failures(passes: Sequence[Pass]) -> list[str]:
    """Examples that failed, with their cause, and claims that fit nothing measured."""
    counted = Counter(
        text
        for found in passes
        for text in (*found.failures.values(), *found.problems.values())
    )
    if len(passes) == 1:
        return [f"FAILED {text}" for text in counted]
    return [f"FAILED in {n} of {len(passes)} passes: {t}" for t, n in counted.items()]


def summary(answers: Sequence[Answer]) -> str:
    """How many claims there are of each verdict."""
    count = Counter(answer.verdict for answer in answers)
    claims = "1 claim" if len(answers) == 1 else f"{len(answers)} claims"
    held = count[Verdict.HOLDS]
    rest = (Verdict.DIVERGED, Verdict.NOISY, Verdict.MISSING, Verdict.OUT_OF_SCOPE)
    counted = [f"{held} hold{'s' if held == 1 else ''}"]
    counted += [f"{count[verdict]} {verdict.value}" for verdict in rest]
    return f"{claims}: {', '.join(counted)}"


def as_data(answers: Iterable[Answer], builder: Builder) -> dict[str, Any]:
    """What ``--json`` writes."""
    return {
        "schema": 1,
        "builder": to_builtins(builder),
        "claims": [_claim_data(answer) for answer in answers],
    }


def _claim_data(answer: Answer) -> dict[str, Any]:
    claim, record = answer.claim, answer.record
    return {
        "id": claim.id,
        "page": claim.page,
        "expect": claim.expect,
        "scope": claim.scope.text,
        "recorded": _data(claim, answer.recorded),
        "recorded_on": None if record is None else record.builder.gpu,
        "yours": [_data(claim, judgement.cell) for judgement in answer.judgements],
        "verdicts": [judgement.verdict.value for judgement in answer.judgements],
    }


def _data(claim: Claim, cell: Cell | None) -> dict[str, Any] | None:
    return None if cell is None else measured_data(claim.value.quantity, cell)
