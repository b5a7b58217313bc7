"""A claim is judged by the records."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import pytest
from evidence.judge.expect import ExpectationError
from evidence.judge.verdict import Judgement, Verdict, judge, judge_all
from evidence.records.address import AddressError
from evidence.records.model import Cell, Plain, Raised, Table
from factories import builder, claim, claim_of, finding, record, timing

TABLE = Table(({"size": Plain(1024), "pinned_s": timing(1, 2)},))
RECORDS = {
    "copy": record(
        "copy",
        {
            "speedup": timing(4.8, 5.2),
            "limit": Plain(9),
            "limit_ratio": Plain(2),
            "sweep": TABLE,
            "waits": Plain(True),
        },
    ),
    "paged": record("paged", {"speedup": timing(1, 1.1)}, builder=builder(gpus=1)),
}


@pytest.mark.parametrize(
    ("verdict", "expect", "options"),
    [
        (Verdict.HOLDS, ">= 3", {}),
        (Verdict.DIVERGED, ">= 6", {}),
        (Verdict.NOISY, ">= 5", {}),
        (Verdict.HOLDS, "> paged.speedup", {}),
        (Verdict.DIVERGED, "< paged.speedup", {}),
        (Verdict.HOLDS, "<= 2 * paged.speedup", {"value": "copy.limit_ratio"}),
        (Verdict.HOLDS, "> copy.limit", {"value": "copy.sweep[size=1024].size"}),
        (Verdict.HOLDS, "<= 3000 ms", {"value": "copy.sweep[size=1024].pinned_s"}),
        (Verdict.MISSING, ">= 3", {"value": "unrecorded.speedup"}),
        (Verdict.MISSING, ">= unrecorded.speedup", {}),
        (Verdict.OUT_OF_SCOPE, ">= 3", {"scope": "gpus>=8"}),
        (Verdict.OUT_OF_SCOPE, ">= 6", {"scope": "gpus>=8"}),
        # The builder of the claimed value decides.
        (Verdict.HOLDS, "> paged.speedup", {"scope": "gpus>=2"}),
        (Verdict.OUT_OF_SCOPE, "> 1", {"value": "paged.speedup", "scope": "gpus>=2"}),
    ],
)
def test_an_expectation_gives_a_verdict(
    verdict: Verdict, expect: str, options: dict[str, str]
) -> None:
    assert verdict is judge(claim(expect, **options), RECORDS).verdict


def test_each_check_is_in_scope_where_its_own_value_was_measured() -> None:
    checks = "copy.speedup >= 3", "paged.speedup >= 0.5"
    several = claim_of(*checks, name="several", scope="gpus>=2")
    verdicts = [finding.verdict for finding in judge(several, RECORDS).findings]
    assert [Verdict.HOLDS, Verdict.OUT_OF_SCOPE] == verdicts


@pytest.mark.parametrize("expect", [">= 3", ">= 6", ">= 5"])
def test_code_that_changed_since_its_record_makes_any_verdict_stale(
    expect: str,
) -> None:
    assert Verdict.STALE is judge(claim(expect), RECORDS, stale={"copy"}).verdict


def test_a_stale_record_of_the_bound_makes_the_claim_stale() -> None:
    for expect in ("> paged.speedup", "in paged.speedup..9"):
        given = claim(expect)
        assert Verdict.STALE is judge(given, RECORDS, stale={"paged"}).verdict
        assert Verdict.HOLDS is judge(given, RECORDS, stale={"another"}).verdict


@pytest.mark.parametrize(
    ("verdict", "scope", "stale"),
    [
        (Verdict.HOLDS, "any", ()),
        (Verdict.OUT_OF_SCOPE, "gpus>=8", ()),
        (Verdict.STALE, "any", ("copy",)),
    ],
)
def test_a_judgement_carries_its_evidence(
    verdict: Verdict, scope: str, stale: tuple[str, ...]
) -> None:
    given = claim(">= 3", scope=scope)
    factor = 4.8 / 3 if verdict is Verdict.HOLDS else math.inf
    found = replace(finding(given, verdict, timing(4.8, 5.2)), factor=factor)
    expected = Judgement(given, (found,), RECORDS["copy"])
    assert expected == judge(given, RECORDS, stale)


def test_a_claim_without_a_record_has_no_evidence() -> None:
    given = claim(value="unrecorded.speedup")
    expected = Judgement(given, (finding(given, Verdict.MISSING),))
    assert expected == judge(given, RECORDS)


@pytest.mark.parametrize(
    ("margin", "expect", "cell"),
    [
        ("", ">= 4", timing(5, 5.5)),
        ("tight", ">= 4.1", timing(5, 5.5)),
        ("", "<= 6.9", timing(5, 5.5)),
        ("tight", "<= 6.8", timing(5, 5.5)),
        ("tight", "in 3..6", timing(5, 5.5)),
        # What is alike cannot be further off.
        ("", "about 5 +- 10%", timing(4.8, 5.2)),
        ("tight", "> 5", Plain(5.1)),
        ("", "> 4.7", Plain(5)),
        # The narrow leave less: 2 % wide is not narrow, a little less is.
        ("tight", ">= 45", timing(49.5, 50.5)),
        ("", ">= 45", timing(49.6, 50.5)),
        ("tight", ">= 48", timing(49.9, 50.1)),
        # The low end of this wide timing would make it narrow.
        ("", "<= 20", timing(*[0.1] + [10] * 4 + [11])),
        # A factor of 2 is not weak.
        ("weak", ">= 2.4", timing(4.9, 5.1)),
        ("", ">= 2.5", timing(4.9, 5.1)),
        ("weak", "<= 11", timing(4.9, 5.1)),
        ("", "<= 10", Plain(5)),
        ("weak", "in 2..12", timing(4.9, 5.1)),
        ("weak", "in 3..11", timing(4.9, 5.1)),
        ("weak", "in 2..6.5", timing(4.9, 5.1)),
        ("", "in 2.6..9", timing(4.9, 5.1)),
        # The value of a timing is its median, not an end of its interval.
        ("weak", ">= 4", timing(*[7] + [10] * 4 + [11])),
        ("", ">= 4", timing(*[5] + [7] * 4 + [11])),
        # A bound or a value of no sign has no factor, small ones have.
        ("weak", "> 0", timing(4.9, 5.1)),
        ("weak", "> -1", timing(4.9, 5.1)),
        ("", "<= 0", Plain(0)),
        ("", "<= 0", Plain(-3)),
        ("weak", "<= 5", Plain(0)),
        ("weak", "<= 0.11", Plain(0)),
        ("", "<= 0.1", Plain(0)),
        ("tight", "<= 0.6", Plain(0.58)),
        ("weak", "<= 0.9", Plain(0.1)),
        ("weak", ">= 0.1", Plain(0.9)),
        ("tight", ">= 0.5", Plain(0.51)),
        # What has no order has no margin.
        ("", "== 5", Plain(5)),
        ("", "true", Plain(True)),
        ("", '== "half"', Plain("half")),
        ("", "raises ValueError: no", Raised("ValueError", "no")),
    ],
)
def test_a_bound_is_neither_too_near_nor_too_far(
    margin: str, expect: str, cell: Cell
) -> None:
    judgement = judge(claim(expect), {"copy": record("copy", {"speedup": cell})})
    assert (Verdict.HOLDS, margin) == (judgement.verdict, judgement.margin)


@pytest.mark.parametrize(
    ("margin", "expect", "documented"),
    [
        ("tight", ">= 4.7", "about 4.7 times (cuda.md)"),
        ("", ">= 4.7 as documented", "about 4.7 times (cuda.md)"),
        ("weak", ">= 1", "more than 1 time (cuda.md)"),
        ("", ">= 1 as documented", "more than 1 time (cuda.md)"),
    ],
)
def test_a_bound_that_is_the_documented_number_is_exempt(
    margin: str, expect: str, documented: str
) -> None:
    judgement = judge(claim(expect, documented=documented), RECORDS)
    assert (Verdict.HOLDS, margin) == (judgement.verdict, judgement.margin)


@pytest.mark.parametrize(
    ("options", "stale"), [({}, ("copy",)), ({"scope": "gpus>=8"}, ())]
)
def test_only_a_claim_that_holds_has_a_margin(
    options: dict[str, str], stale: tuple[str, ...]
) -> None:
    assert not judge(claim(">= 4.7", **options), RECORDS, stale).margin
    for diverged_or_noisy in (">= 5.3", ">= 5"):
        assert not judge(claim(diverged_or_noisy), RECORDS).margin


@pytest.mark.parametrize(
    ("error", "message", "options"),
    [
        (
            ExpectationError,
            "the expectation 'true' does not fit 5.0",
            {"expect": "true"},
        ),
        (
            ExpectationError,
            "the expectation '>= 3' takes True for a number",
            {"value": "copy.waits"},
        ),
        (
            AddressError,
            "nothing was measured as 'paged.speed'; did you mean paged.speedup?",
            {"value": "paged.speed"},
        ),
        (
            AddressError,
            "nothing was measured as 'paged.a_speedup'; did you mean paged.speedup?",
            {"expect": "> paged.a_speedup"},
        ),
    ],
)
def test_a_claim_that_cannot_be_judged_is_an_error(
    error: type[Exception], message: str, options: dict[str, str]
) -> None:
    given = claim(**{"expect": ">= 3", **options})
    with pytest.raises(error) as raised:
        judge(given, RECORDS)
    assert message == str(raised.value)
    (judgement,) = judge_all([given], RECORDS)
    assert Verdict.MISSING is judgement.verdict
    assert RECORDS[given.stem] == judgement.record
    assert f"claim 'a-claim': {message}" == judgement.problem


def test_a_claim_that_does_not_fit_is_an_error_although_its_record_is_stale() -> None:
    with pytest.raises(ExpectationError):
        judge(claim("true"), RECORDS, stale={"copy"})


def test_claims_are_judged_in_their_order_beside_those_that_cannot_be() -> None:
    good, bad, old = claim(name="good"), claim("true", name="bad"), claim(name="old")
    judgements = [*judge_all([good, bad, old], RECORDS, {"copy"})]
    assert [(good, Verdict.STALE), (bad, Verdict.MISSING), (old, Verdict.STALE)] == [
        (judgement.claim, judgement.verdict) for judgement in judgements
    ]
    assert [False, True, False] == [bool(each.problem) for each in judgements]


@pytest.mark.parametrize(
    ("verdict", "margin", "checks"),
    [
        (Verdict.HOLDS, "", [".speedup >= 3", ".limit == 9"]),
        (Verdict.HOLDS, "tight", [".speedup >= 1", ".speedup >= 4.7"]),
        (Verdict.NOISY, "", [".speedup >= 5", ".waits true"]),
        (Verdict.DIVERGED, "", [".speedup >= 5", ".waits false", ".limit == 9"]),
    ],
)
def test_the_worst_of_several_checks_counts(
    verdict: Verdict, margin: str, checks: list[str]
) -> None:
    for ordered in permutations(checks):
        judgement = judge(claim_of(*ordered, of="copy"), RECORDS)
        assert (verdict, margin) == (judgement.verdict, judgement.margin)
        assert len(checks) == len(judgement.findings)


def test_the_nearest_of_several_bounds_tells_how_far_a_claim_is_off() -> None:
    factors = {
        ".speedup >= 1.2": 4.0,
        ".limit_ratio <= 2.6": 1.3,
        ".waits true": math.inf,
    }
    for checks in permutations(factors):
        judgement = judge(claim_of(*checks, of="copy"), RECORDS)
        expected = [pytest.approx(factors[check]) for check in checks]
        assert expected == [finding.factor for finding in judgement.findings]
        assert pytest.approx(1.3) == judgement.factor


@pytest.mark.parametrize(
    ("factor", "expect", "value"),
    [
        (2.5, ">= 2", 5),
        (1.5, "<= 7.5", 5),
        (1.25, "in 2..6.25", 5),
        (math.inf, "> 0", 5),
        # Of nothing a bound is no multiple: near enough, or too far.
        (2.0, "<= 0", 0),
        (2.0, "<= 0.1", 0),
        (math.inf, "<= 0.11", 0),
        (math.inf, "true", True),
    ],
)
def test_a_bound_stands_off_by_a_factor(factor: float, expect: str, value: int) -> None:
    judgement = judge(
        claim(expect), {"copy": record("copy", {"speedup": Plain(value)})}
    )
    assert (Verdict.HOLDS, factor) == (judgement.verdict, judgement.factor)
