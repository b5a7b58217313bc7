"""What ``verify`` found is shown in lines and as data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from evidence.commands.answers import (
    FEW,
    Pass,
    answers,
    as_passes,
    beyond,
    end,
    fitted,
    report,
    verified,
)
from evidence.examples.script import Script, Settings
from evidence.judge import kept
from evidence.judge.kept import Entry
from evidence.judge.verdict import Verdict, unjudged
from evidence.measure import Cause, Failure, Reason, Recording
from evidence.records.model import Plain
from evidence.records.store import save
from factories import builder, claim, claim_of, record, timing

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


def lines(found: Pass, *claims: Claim, committed: Record | None = None) -> list[str]:
    """What is reported of a pass and these claims."""
    records = {} if committed is None else {"copy": committed}
    return report(answers(claims, found, HERE), found, HERE, records)


def test_a_claim_is_shown_with_what_was_measured_and_what_is_recorded() -> None:
    found = measured(speedup=timing(5.0), pinned=Plain(True))
    committed = record("copy", {"speedup": timing(4, 5)})
    claims = [claim(name="copy-is-fast"), claim("true", "copy.pinned", "pinned")]
    assert [
        "holds: copy-is-fast (page.md:1)",
        "    copy.speedup >= 3: 5.000× here, recorded 4.5× (NVIDIA H200)",
        "holds: pinned (page.md:1)",
        "    copy.pinned true: yes here, no record",
    ] == lines(found, *claims, committed=committed)
    assert [] == lines({})


@pytest.mark.parametrize(
    ("verdict", "expect"), [(DIVERGED, ">= 7"), (NOISY, ">= 5"), (HOLDS, "<= 7")]
)
def test_the_band_is_judged_by_what_was_measured_here(
    verdict: Verdict, expect: str
) -> None:
    committed = record("copy", {"speedup": timing(90, 100)}, builder=builder(gpu=""))
    found = measured(speedup=timing(4, 6))
    assert [
        f"{verdict.value}: a-claim (page.md:1)",
        f"    copy.speedup {expect}: 5.0× (4.0–6.0×) here, recorded 95× (a CPU)",
    ] == lines(found, claim(expect), committed=committed)


def test_of_a_failed_example_nothing_is_shown() -> None:
    assert [
        "FAILED copy.py raised OSError: no",
        "missing: a-claim (page.md:1)",
        "    copy.speedup >= 3: nothing here, no record",
    ] == lines(failed(), claim())


def test_of_several_checks_those_are_shown_that_do_not_hold() -> None:
    checks = "copy.speedup >= 3", "copy.calls == 21", "copy.pinned true"
    several = claim_of(*checks, name="several", place=("memory/page", 7))
    found = measured(speedup=timing(5.0), calls=Plain(20), pinned=Plain(False))
    assert [
        "diverged: several (memory/page.md:7)",
        "    copy.calls == 21: 20 here, no record",
        "    copy.pinned true: no here, no record",
    ] == lines(found, several)


def test_claims_that_hold_are_counted_where_they_are_many_and_what_failed_is_last() -> (
    None
):
    found = {
        **measured(speedup=timing(5.0)),
        "sheet": Failure(
            script("sheet"), Cause("raised SkipTest: none", Reason.SKIPPED), "more"
        ),
        "other": Failure(script("other"), Cause("died")),
    }
    few = [claim(name=f"claim-{number}") for number in range(FEW - 2)]
    differs = claim(">= 7", name="differs")
    far = claim(scope="gpus>=8", name="far")
    asked = [few[0], far, claim(value="sheet.x", name="sheet"), differs, *few[1:]]
    last = [
        "out of scope, as it says itself: sheet.py raised SkipTest: none",
        "FAILED other.py died",
        "diverged: differs (page.md:1)",
        "    copy.speedup >= 7: 5.000× here, no record",
    ]
    shown = lines(found, *asked)
    assert 2 * FEW + len(last) == len(shown)
    assert ["out of scope: far (page.md:1)", "    its scope: gpus>=8"] == shown[2:4]
    assert last == shown[-len(last) :]
    assert last == lines(found, *asked, claim(name="one-more"))


def test_a_line_has_at_most_100_columns_and_a_value_at_most_four_lines() -> None:
    value = "word " * 200 + "x-y" * 50
    stem = "copies_of_a_very_long_name"
    found = {
        "copy": Recording(script(), record("copy", {"text": Plain(value)})),
        stem: Failure(script(stem), Cause(f"raised OSError: {value}"), f"out {value}"),
    }
    shown = lines(found, claim('== "short"', "copy.text", "the-" * 20 + "end"))
    assert max(map(len, shown)) <= 100
    assert 4 + 4 + 2 + 4 == len(shown)
    begin = {0: "FAILED ", 4: "    | out ", 8: "diverged: the-", 10: "    copy.text "}
    assert all(shown[number].startswith(text) for number, text in begin.items())
    assert shown[-1].endswith(" …")


def test_a_claim_is_judged_where_it_is_in_scope_of_this_machine() -> None:
    found = measured(speedup=timing(5.0))
    assert OUT is answered(claim(scope="gpus>=2"), found).verdict
    expected = ["out of scope: a-claim (page.md:1)", "    its scope: gpus>=2"]
    assert expected == lines(found, claim(scope="gpus>=2"))
    assert HOLDS is answered(claim(scope="gpus>=1"), found).verdict


def test_a_pass_that_has_not_come_to_a_claim_says_nothing_of_it() -> None:
    compared = claim("> other.speedup")
    assert not answers([compared], {}, HERE)
    assert not answers([compared], measured(speedup=timing(5.0)), HERE)
    died = Failure(script("other"), Cause("died"))
    other = {**measured(speedup=timing(5.0)), "other": died}
    assert unjudged(compared, MISSING) == answered(compared, other)


@pytest.mark.parametrize("skipped", ["copy", "other"])
def test_a_claim_is_out_of_scope_where_one_of_its_examples_is(skipped: str) -> None:
    ran = ({"copy", "other"} - {skipped}).pop()
    values = record(ran, {"speedup": timing(5.0 if ran == "copy" else 4.0)})
    reason = Cause("raised SkipTest: none", Reason.SKIPPED)
    found = {
        ran: Recording(script(ran), values),
        skipped: Failure(script(skipped), reason),
    }
    compared = claim("> other.speedup")
    assert unjudged(compared, OUT) == answered(compared, found)
    assert verified([answered(compared, found), judged(HOLDS)])


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
    assert expected == end([judged(verdict) for verdict in verdicts], None)[0]


@pytest.mark.parametrize(
    ("target", "line"),
    [
        (None, "to keep what is measured: nox -s verify -- --json passes.json"),
        (Path("out/x.json"), "to send what was measured: nox -s keep -- out/x.json"),
    ],
)
def test_the_end_says_how_to_go_on(target: Path | None, line: str) -> None:
    held, far = unjudged(claim(), HOLDS), unjudged(claim(name="far"), OUT)
    failed = [unjudged(claim(name=name), NOISY) for name in ("first", "second")]
    assert ["2 claims: 1 holds, 1 out of scope", line] == end([held, far], target)
    assert [
        "to see one alone: nox -s verify -- -k first",
        line,
    ] == end([held, *failed], target)[1:]


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
    assert MISSING is answered(given, found).verdict
    assert [
        "missing: a-claim (page.md:1)",
        f"    claim 'a-claim': {problem}",
    ] == lines(found, given)


def test_answers_are_a_file_that_can_be_kept() -> None:
    found = {
        **measured(speedup=timing(5.0), pinned=Plain(True)),
        "other": Failure(script("other"), Cause("died")),
        "sheet": Failure(script("sheet"), Cause("none", Reason.SKIPPED)),
    }
    verdicts = [HOLDS, HOLDS, NOISY, OUT]
    origin = {"machine": "0000000a", "day": "2026-11-22", "commit": "c" * 40}
    made = as_passes([judged(verdict) for verdict in verdicts], found, HERE, origin)
    values = {"speedup": (5.0,), "pinned": True}
    assert {
        "copy": Entry(0, "0" * 64, values),
        "other": Entry(0, "0" * 64, {}),
    } == made.examples
    (run,) = made.runs
    assert ("0000000a", HERE, 2, 3) == (made.machine, run.builder, run.held, run.of)
    assert ("2026-11-22", "c" * 40) == (run.day, run.commit)
    assert (kept.SCHEMA, {}, "") == (made.schema, made.earlier, made.checksum)


def test_what_was_sent_is_known_by_what_was_measured_where_and_when() -> None:
    origin = {"machine": "0000000a", "day": "2026-11-22", "commit": "c" * 40}
    found = {"copy": measured(n=Plain(3)), "slower": measured(n=Plain(4))}
    others = {"day": "2026-11-23", "machine": "0000000b", "commit": "d" * 40}
    sent = [
        as_passes([], done, HERE, given).runs[0].sent
        for given in (origin, *({**origin, name: it} for name, it in others.items()))
        for done in found.values()
    ]
    assert 8 == len(set(sent))
    again = as_passes([], measured(n=Plain(3)), HERE, {**origin}).runs[0].sent
    assert sent[0] == again


@pytest.mark.parametrize(
    ("expected", "here", "recorded"),
    [
        ("this GPU's memory is too small", 79, 80),
        ("", 80, 80),
        ("", 81, 80),
        ("", 79, None),
    ],
)
def test_a_full_gpu_is_out_of_scope_where_the_recorded_one_has_more_memory(
    expected: str, here: int, recorded: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "copy.py"
    if recorded:
        larger = builder(gpu_memory_bytes=recorded)
        save(record("copy", builder=larger), path.with_suffix(".json"), {})
    smaller = builder(gpu_memory_bytes=here)
    example = Script(path, (), Settings(), "0" * 64)
    full = Failure(example, Cause("is full", Reason.OUT_OF_MEMORY))

    assert expected == beyond(full, smaller)
    for reason in (Reason.ERROR, Reason.STOPPED):
        assert "" == beyond(Failure(example, Cause("died", reason)), smaller)
    found = {"copy": full, "other": Failure(script("other"), Cause("died"))}
    verdict = OUT if expected else MISSING
    assert [verdict] == [each.verdict for each in answers([claim()], found, smaller)]
    said = report([], found, smaller, {})
    full_line = f"out of scope, {expected}: " if expected else "FAILED "
    assert {f"{full_line}copy.py is full", "FAILED other.py died"} == {*said}
    origin = {"machine": "0000000a", "day": "2026-11-22", "commit": "c" * 40}
    made = as_passes([], found, smaller, origin)
    assert {"other"} | ({"copy"} if not expected else set()) == made.examples.keys()


def test_each_example_that_failed_or_is_out_of_scope_is_told_in_its_order() -> None:
    long = "says that it is none for this machine, " * 4
    found = {
        stem: Failure(script(stem), Cause(text, reason), "its last line\nand one more")
        for stem, text, reason in (
            ("wait", "died", Reason.ERROR),
            ("copy", long, Reason.SKIPPED),
            ("graph", "raised OSError: no", Reason.ERROR),
            ("sheet", "needs two", Reason.SKIPPED),
        )
    }

    first, *rest = report([], found, HERE, {})

    assert first.startswith("out of scope, as it says itself: copy.py says that it")
    assert first.endswith(" …") and 100 >= len(first)
    tail = ["    | its last line", "    | and one more"]
    assert [
        "out of scope, as it says itself: sheet.py needs two",
        *("FAILED wait.py died", *tail),
        *("FAILED graph.py raised OSError: no", *tail),
    ] == rest


def test_what_goes_on_below_is_indented_further_and_ids_stay_whole() -> None:
    words = " ".join(f"a-claim-with-number-{n}" for n in range(10, 18))

    first, second, *_ = fitted([f"  {words}"])

    assert f"  {words}".startswith(f"{first} ")
    assert "      a-claim-with-number-14 " == second[:29]
