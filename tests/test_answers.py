"""What ``verify`` found is shown in lines and as data: each claim judged in every pass."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from evidence.commands.answers import (
    Answer,
    Pass,
    answer,
    as_data,
    failures,
    summary,
    table,
    verified,
)
from evidence.examples.script import Script, Settings
from evidence.judge.verdict import Verdict, unjudged
from evidence.measure.campaign import Failure, Recording
from evidence.records.model import Plain
from factories import builder, claim, record, timing

if TYPE_CHECKING:
    from evidence.judge.claim import Claim
    from evidence.records.model import Cell, Record, Value

HERE = builder(gpu="NVIDIA L4", gpus=1)

MISSING, DIVERGED, NOISY, HOLDS, OUT = (
    Verdict.MISSING,
    Verdict.DIVERGED,
    Verdict.NOISY,
    Verdict.HOLDS,
    Verdict.OUT_OF_SCOPE,
)


def script(stem: str = "copy") -> Script:
    return Script(Path(f"{stem}.py"), (), Settings(), "0" * 64)


def measured(**cells: Value) -> Pass:
    """A pass that measured this."""
    return {"copy": Recording(script(), record("copy", cells))}


def failed(cause: str = "raised OSError: no") -> Pass:
    return {"copy": Failure(script(), cause)}


def answered(given: Claim, *passes: Pass, committed: Record | None = None) -> Answer:
    known = {} if committed is None else {"copy": committed}
    return answer(given, passes, HERE, known)


def judged(*verdicts: Verdict) -> Answer:
    """An answer of these verdicts, one for each pass."""
    given = claim()
    return Answer(given, {}, tuple(unjudged(given, v) for v in verdicts))


def cells(given: Answer) -> tuple[str, ...]:
    """What its line says under recorded, yours and verdict."""
    header, line = table([given])
    starts = [header.index(name) for name in ("recorded", "yours", "verdict")]
    ends = [*starts[1:], len(line)]
    return tuple(line[a:b].strip() for a, b in zip(starts, ends, strict=True))


def test_each_claim_is_one_line() -> None:
    found = measured(speedup=timing(5.0), pinned=Plain(True))
    committed = record("copy", {"speedup": timing(4, 5)})
    answers = [
        answered(claim(name="copy-is-fast"), found, committed=committed),
        answered(claim("true", "copy.pinned", "pinned"), found, committed=committed),
    ]
    expected = [
        "claim         expected  recorded            yours   verdict",
        "copy-is-fast  >= 3      4.5× (NVIDIA H200)  5.000×  holds",
        "pinned        true      no record           yes     holds",
    ]
    assert expected == table(answers)
    assert [] == table([])


@pytest.mark.parametrize(
    ("verdict", "expect"), [(DIVERGED, ">= 7"), (NOISY, ">= 5"), (HOLDS, "<= 7")]
)
def test_the_band_is_judged_by_what_was_measured_here(
    verdict: Verdict, expect: str
) -> None:
    committed = record("copy", {"speedup": timing(90, 100)})
    given = answered(claim(expect), measured(speedup=timing(4, 6)), committed=committed)
    assert verdict is given.verdict
    expected = ("95× (NVIDIA H200)", "5.0× (4.0–6.0×)", verdict.value)
    assert expected == cells(given)


def test_a_record_is_shown_with_its_builder() -> None:
    committed = record("copy", {"speedup": timing(4, 5)}, builder=builder(gpu=""))
    found = answered(claim(), measured(speedup=timing(5.0)), committed=committed)
    expected = ("4.5× (a CPU)", "5.000×", "holds")
    assert expected == cells(found)


def test_of_a_failed_example_nothing_is_shown() -> None:
    found = answered(claim(), failed(), committed=record("copy"))
    expected = ("5.0× (NVIDIA H200)", "–", "missing")
    assert expected == cells(found)


@pytest.mark.parametrize(
    ("yours", "verdict", "expect", "values"),
    [
        ("5.000×", "2 holds", ">= 3", [timing(5.0), timing(5.0)]),
        (
            "4.000×, 2.000×, 5.000×, 6.000×",
            "3 holds, 1 diverged",
            ">= 3",
            [timing(4.0), timing(2.0), timing(5.0), timing(6.0)],
        ),
        (
            "6.0× (4.0–8.0×), 4.0× (3.0–5.0×), 5.0× (4.0–6.0×)",
            "2 holds, 1 noisy",
            ">= 3.5",
            [timing(4, 8), timing(3, 5), timing(4, 6)],
        ),
        ("3.000×, 5.000×", "2 holds", ">= 3", [timing(3.0), timing(5.0)]),
        (
            "20.00×, 21.00×",
            "2 holds, 1 diverged",
            "== 20",
            [Plain(20), Plain(20), Plain(21)],
        ),
        ("20.00×, 5.000×", "2 holds", ">= 3", [Plain(20), timing(5.0)]),
    ],
)
def test_several_passes_are_shown_together(
    yours: str, verdict: str, expect: str, values: list[Cell]
) -> None:
    given = answered(claim(expect), *(measured(speedup=value) for value in values))
    assert (yours, verdict) == cells(given)[1:]


@pytest.mark.parametrize(
    ("worse", "better"), list(combinations((MISSING, DIVERGED, NOISY, HOLDS), 2))
)
def test_the_verdict_of_several_passes_is_the_worst(
    worse: Verdict, better: Verdict
) -> None:
    assert worse is judged(better, worse, better).verdict
    assert worse is judged(worse, better).verdict
    assert not verified([judged(better, worse)])


def test_a_claim_is_judged_where_it_is_in_scope_of_this_machine() -> None:
    found = measured(speedup=timing(5.0))
    known = record("copy")  # of a builder with two GPUs
    elsewhere = answered(claim(scope="gpus>=2"), found, found, committed=known)
    assert OUT is elsewhere.verdict
    assert elsewhere.claim is elsewhere.judgements[0].claim
    expected = ("5.0× (NVIDIA H200)", "–", "2 out of scope")
    assert expected == cells(elsewhere)
    assert HOLDS is answered(claim(scope="gpus>=1"), found).verdict


def test_a_pass_that_has_not_come_to_a_claim_says_nothing_of_it() -> None:
    compared = claim("> other.speedup")
    assert not answered(compared, {}).judgements
    assert not answered(compared, measured(speedup=timing(5.0))).judgements
    other = {**measured(speedup=timing(5.0)), "other": Failure(script("other"), "died")}
    (judgement,) = answered(compared, other).judgements
    assert unjudged(compared, MISSING) == judgement


@pytest.mark.parametrize(
    ("expected", "verdicts"),
    [
        (True, [HOLDS]),
        (True, [HOLDS, OUT]),
        (False, [OUT]),
        (False, []),
        (False, [HOLDS, NOISY]),
        (False, [HOLDS, DIVERGED]),
        (False, [HOLDS, MISSING]),
    ],
)
def test_success_is_when_all_in_scope_hold_and_there_is_one(
    expected: bool, verdicts: list[Verdict]
) -> None:
    assert expected is verified([judged(verdict) for verdict in verdicts])


@pytest.mark.parametrize(
    ("expected", "verdicts"),
    [
        ("1 claims: holds", [HOLDS]),
        (
            "5 claims: 2 holds, 2 out of scope, 1 noisy",
            [HOLDS, OUT, NOISY, OUT, HOLDS],
        ),
        (
            "3 claims: 2 diverged, 1 missing",
            [DIVERGED, MISSING, DIVERGED],
        ),
        ("0 claims: ", []),
    ],
)
def test_verdicts_are_counted(expected: str, verdicts: list[Verdict]) -> None:
    assert expected == summary([judged(verdict) for verdict in verdicts])


@pytest.mark.parametrize(
    ("problem", "value", "expect"),
    [
        (
            "nothing was measured as 'copy.spedup'; did you mean copy.speedup?",
            "copy.spedup",
            "== 20",
        ),
        ("the expectation 'true' does not fit 5.0", "copy.speedup", "true"),
    ],
)
def test_a_claim_that_fits_nothing_measured_is_missing(
    problem: str, value: str, expect: str
) -> None:
    given, found = claim(expect, value), measured(speedup=timing(5.0))
    answer = answered(given, found)
    assert (unjudged(given, MISSING),) == answer.judgements
    assert [f"FAILED in 1 of 1 passes: claim 'a-claim': {problem}"] == failures(
        [found], [answer]
    )


def test_failures_of_several_passes_are_counted() -> None:
    passes = [
        measured(speedup=timing(5.0)),
        failed(),
        failed(),
        failed("took too long"),
    ]
    given = answered(claim("true"), *passes)
    expected = [
        "FAILED in 2 of 4 passes: copy.py raised OSError: no",
        "FAILED in 1 of 4 passes: copy.py took too long",
        "FAILED in 1 of 4 passes: claim 'a-claim': the expectation 'true' does not fit 5.0",
    ]
    assert expected == failures(passes, [given])


def test_answers_are_data() -> None:
    passes = [measured(speedup=timing(5.0), pinned=Plain(True)), failed()]
    answers = [
        answered(claim(name="fast", scope="gpus>=1"), *passes),
        answered(claim(scope="gpus>=8"), *passes),
    ]
    data = as_data(answers, passes, HERE)
    assert (2, "NVIDIA L4") == (data["schema"], data["builder"]["gpu"])
    speedup = {"timing": {"median": (5.0,), "iqr": (0.0,), "n": (20,)}}
    key = {"code_key": "0" * 64}
    assert [
        {"copy": {**key, "measured": {"speedup": speedup, "pinned": {"value": True}}}},
        {"copy": {**key, "measured": {}}},
    ] == data["passes"]
    assert {
        "fast": ["holds", "missing"],
        "a-claim": ["out of scope", "out of scope"],
    } == data["claims"]


def test_a_value_that_its_record_does_not_hold_is_not_recorded() -> None:
    found = answered(
        claim(), measured(speedup=timing(5.0)), committed=record("copy", {})
    )
    assert "no record" == cells(found)[0]
