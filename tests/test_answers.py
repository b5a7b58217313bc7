"""What ``verify`` found is shown in lines and as data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from evidence.commands.answers import (
    Pass,
    answers,
    as_data,
    failures,
    summary,
    table,
    verified,
)
from evidence.examples.script import Script, Settings
from evidence.judge.verdict import Verdict, unjudged
from evidence.measure.recording import Cause, Failure, Recording
from evidence.records.model import Plain
from factories import builder, claim, record, timing

if TYPE_CHECKING:
    from evidence.judge.claim import Claim
    from evidence.judge.verdict import Judgement
    from evidence.records.model import Record, Value

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
    return {"copy": Failure(script(), Cause(cause))}


def answered(given: Claim, found: Pass) -> Judgement:
    """The one answer to a claim."""
    (only,) = answers([given], found, HERE)
    return only


def judged(verdict: Verdict) -> Judgement:
    return unjudged(claim(), verdict)


def cells(given: Judgement, committed: Record | None = None) -> tuple[str, ...]:
    """What its line says under recorded, yours and verdict."""
    header, line = table([given], {} if committed is None else {"copy": committed})
    starts = [header.index(name) for name in ("recorded", "yours", "verdict")]
    ends = [*starts[1:], len(line)]
    return tuple(line[a:b].strip() for a, b in zip(starts, ends, strict=True))


def test_each_claim_is_one_line() -> None:
    found = measured(speedup=timing(5.0), pinned=Plain(True))
    committed = record("copy", {"speedup": timing(4, 5)})
    claims = [claim(name="copy-is-fast"), claim("true", "copy.pinned", "pinned")]
    expected = [
        "claim         expected  recorded            yours   verdict",
        "copy-is-fast  >= 3      4.5× (NVIDIA H200)  5.000×  holds",
        "pinned        true      no record           yes     holds",
    ]
    assert expected == table(answers(claims, found, HERE), {"copy": committed})
    assert [] == table([], {})


@pytest.mark.parametrize(
    ("verdict", "expect"), [(DIVERGED, ">= 7"), (NOISY, ">= 5"), (HOLDS, "<= 7")]
)
def test_the_band_is_judged_by_what_was_measured_here(
    verdict: Verdict, expect: str
) -> None:
    committed = record("copy", {"speedup": timing(90, 100)})
    given = answered(claim(expect), measured(speedup=timing(4, 6)))
    assert verdict is given.verdict
    expected = ("95× (NVIDIA H200)", "5.0× (4.0–6.0×)", verdict.value)
    assert expected == cells(given, committed)


def test_a_record_is_shown_with_its_builder() -> None:
    committed = record("copy", {"speedup": timing(4, 5)}, builder=builder(gpu=""))
    found = answered(claim(), measured(speedup=timing(5.0)))
    expected = ("4.5× (a CPU)", "5.000×", "holds")
    assert expected == cells(found, committed)


def test_of_a_failed_example_nothing_is_shown() -> None:
    found = answered(claim(), failed())
    expected = ("5.0× (NVIDIA H200)", "–", "missing")
    assert expected == cells(found, record("copy"))


def test_a_claim_is_judged_where_it_is_in_scope_of_this_machine() -> None:
    found = measured(speedup=timing(5.0))
    known = record("copy")  # of a builder with two GPUs
    elsewhere = answered(claim(scope="gpus>=2"), found)
    assert OUT is elsewhere.verdict
    expected = ("5.0× (NVIDIA H200)", "–", "out of scope")
    assert expected == cells(elsewhere, known)
    assert HOLDS is answered(claim(scope="gpus>=1"), found).verdict


def test_a_pass_that_has_not_come_to_a_claim_says_nothing_of_it() -> None:
    compared = claim("> other.speedup")
    assert not answers([compared], {}, HERE)
    assert not answers([compared], measured(speedup=timing(5.0)), HERE)
    died = Failure(script("other"), Cause("died"))
    other = {**measured(speedup=timing(5.0)), "other": died}
    assert unjudged(compared, MISSING) == answered(compared, other)


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
        ("1 claims: 1 holds", [HOLDS]),
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
    assert MISSING is answer.verdict
    assert [f"FAILED claim 'a-claim': {problem}"] == failures(
        found, [answer], builder()
    )


def test_a_failed_example_is_told_with_its_cause() -> None:
    assert ["FAILED copy.py raised OSError: no"] == failures(failed(), [], builder())


def test_answers_are_data() -> None:
    found = measured(speedup=timing(5.0), pinned=Plain(True))
    claims = [claim(name="fast", scope="gpus>=1"), claim(scope="gpus>=8")]
    data = as_data(answers(claims, found, HERE), found, HERE)
    assert (2, "NVIDIA L4") == (data["schema"], data["builder"]["gpu"])
    speedup = {"timing": {"median": (5.0,), "iqr": (0.0,), "n": (20,)}}
    values = {"speedup": speedup, "pinned": {"value": True}}
    entry = {"code_key": "0" * 64, "measured": values}
    assert [{"copy": entry}] == data["passes"]
    assert {"fast": ["holds"], "a-claim": ["out of scope"]} == data["claims"]
    (run,) = as_data([], failed(), HERE)["passes"]
    assert {"copy": {"code_key": "0" * 64, "measured": {}}} == run


def test_a_value_that_its_record_does_not_hold_is_not_recorded() -> None:
    found = answered(claim(), measured(speedup=timing(5.0)))
    assert "no record" == cells(found, record("copy", {}))[0]
