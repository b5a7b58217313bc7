"""A claim is judged by the records."""

from __future__ import annotations

import pytest
from evidence.judge.expect import ExpectationError
from evidence.judge.verdict import Judgement, Verdict, judge
from evidence.records.address import Address, AddressError, lookup, lookup_table
from evidence.records.model import Cell, Plain, Raised, Table
from factories import builder, claim, record, timing

TABLE = Table(({"size": Plain(1024), "pinned_s": timing(1, 2)},))
RECORDS = {
    "copy": record(
        "copy", {"speedup": timing(4.8, 5.2), "sweep": TABLE, "blocks": Plain(True)}
    ),
    "paged": record("paged", {"speedup": timing(1, 1.1)}, builder=builder(gpus=1)),
}


@pytest.mark.parametrize(
    ("verdict", "expect"),
    [
        (Verdict.HOLDS, ">= 3"),
        (Verdict.DIVERGED, ">= 6"),
        (Verdict.NOISY, ">= 5"),
        (Verdict.HOLDS, "> paged.speedup"),
        (Verdict.DIVERGED, "< paged.speedup"),
        (Verdict.MISSING, ">= unrecorded.speedup"),
    ],
)
def test_an_expectation_gives_a_verdict(verdict: Verdict, expect: str) -> None:
    assert verdict is judge(claim(expect), RECORDS).verdict


def test_a_judgement_carries_its_evidence() -> None:
    given = claim(">= 3")
    expected = Judgement(given, Verdict.HOLDS, timing(4.8, 5.2), RECORDS["copy"])
    assert expected == judge(given, RECORDS)


def test_a_claim_without_a_record_is_missing() -> None:
    given = claim(value="unrecorded.speedup")
    assert Judgement(given, Verdict.MISSING) == judge(given, RECORDS)


@pytest.mark.parametrize("expect", [">= 3", ">= 6", ">= 5"])
def test_code_that_changed_since_its_record_makes_any_verdict_stale(
    expect: str,
) -> None:
    judgement = judge(claim(expect), RECORDS, stale={"copy"})
    expected = (Verdict.STALE, "")
    assert expected == (judgement.verdict, judgement.margin)


def test_a_stale_record_of_the_bound_makes_the_claim_stale() -> None:
    given = claim("> paged.speedup")
    assert Verdict.STALE is judge(given, RECORDS, stale={"paged"}).verdict
    assert Verdict.HOLDS is judge(given, RECORDS, stale={"another"}).verdict


@pytest.mark.parametrize("expect", [">= 3", ">= 6"])
def test_out_of_scope_is_neither_held_nor_diverged(expect: str) -> None:
    judgement = judge(claim(expect, scope="gpus>=8"), RECORDS)
    assert Verdict.OUT_OF_SCOPE is judgement.verdict
    assert not judgement.margin


def test_the_builder_of_the_claimed_value_decides_the_scope() -> None:
    assert (
        Verdict.HOLDS
        is judge(claim("> paged.speedup", scope="gpus>=2"), RECORDS).verdict
    )
    assert (
        Verdict.OUT_OF_SCOPE
        is judge(
            claim("> 0.8", value="paged.speedup", scope="gpus>=2"), RECORDS
        ).verdict
    )


@pytest.mark.parametrize(
    ("margin", "expect", "cell"),
    [
        ("", ">= 4", timing(5, 5.5)),
        ("tight", ">= 4.1", timing(5, 5.5)),
        ("", "<= 6.9", timing(5, 5.5)),
        ("tight", "<= 6.8", timing(5, 5.5)),
        ("tight", "in 3..6", timing(5, 5.5)),
        ("tight", "about 5 +- 20%", timing(4.8, 5.2)),
        ("", ">= 4.7", timing(4.99, 5.01)),
        ("tight", ">= 4.8", timing(4.99, 5.01)),
        ("tight", "> 5", Plain(5.1)),
        ("", "> 4.7", Plain(5)),
        ("weak", ">= 2", timing(4.9, 5.1)),
        ("weak", "<= 12", timing(4.9, 5.1)),
        ("weak", "in 2..12", timing(4.9, 5.1)),
        ("", "in 2..9", timing(4.9, 5.1)),
        ("", ">= 2.5", timing(4.9, 5.1)),
        ("", ">= 0", timing(4.9, 5.1)),
        ("", "<= 0", Plain(0)),
        ("", "== 5", Plain(5)),
        ("", "!= 4", Plain(5)),
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


@pytest.mark.parametrize("bound", ["4.7", "1"])
def test_a_bound_that_is_the_documented_number_is_exempt(bound: str) -> None:
    expect = f">= {bound}"
    assert judge(claim(expect), RECORDS).margin in ("tight", "weak")
    text = f"about {bound} times (cuda.md)"
    documented = judge(claim(expect, documented=text), RECORDS)
    expected = (Verdict.HOLDS, "")
    assert expected == (documented.verdict, documented.margin)


def test_only_a_claim_that_holds_has_a_margin() -> None:
    assert not judge(claim(">= 5"), RECORDS).margin
    assert not judge(claim(">= 5.3"), RECORDS).margin


def test_a_bound_is_read_in_the_unit_of_the_value() -> None:
    given = claim("<= 3000 ms", value="copy.sweep[size=1024].pinned_s")
    assert Verdict.HOLDS is judge(given, RECORDS).verdict


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (ExpectationError, claim("true")),
        (ExpectationError, claim(">= 3", value="copy.blocks")),
        (AddressError, claim(value="copy.slowdown")),
        (AddressError, claim("> paged.slowdown")),
    ],
)
def test_a_claim_that_cannot_be_judged_is_an_error(
    error: type[Exception], given: object
) -> None:
    with pytest.raises(error):
        judge(given, RECORDS)


@pytest.mark.parametrize(
    ("message", "address"),
    [
        ("'copy.spedup'; did you mean copy.speedup", "copy.spedup"),
        (
            "'copy.sweep[size=1025].pinned_s'; did you mean copy.sweep[size=1024]",
            "copy.sweep[size=1025].pinned_s",
        ),
        ("'pages'; did you mean paged?", "pages.speedup"),
        ("'copy.zzzzzzzzzzzzzz'", "copy.zzzzzzzzzzzzzz"),
    ],
)
def test_an_unknown_address_is_shown_with_those_that_come_near(
    message: str, address: str
) -> None:
    with pytest.raises(AddressError) as error:
        lookup(Address.of(address), RECORDS)
    assert str(error.value).startswith(f"nothing was measured as {message}")


def test_the_cells_of_a_table_are_found_by_their_row() -> None:
    assert timing(1, 2) == lookup(Address.of("copy.sweep[size=1024].pinned_s"), RECORDS)


def test_a_table_is_found_by_its_address() -> None:
    assert RECORDS["copy"].measured["sweep"] is lookup_table(
        Address.of("copy.sweep"), RECORDS
    )


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("copy.swep", "'copy.swep'; did you mean copy.sweep?"),
        ("copy.speedup", "'copy.speedup'; did you mean copy.sweep?"),
        ("zzzzzz.zzzzz", "'zzzzzz.zzzzz'"),
    ],
)
def test_what_is_no_table_is_shown_with_those_that_come_near(
    address: str, message: str
) -> None:
    with pytest.raises(AddressError) as error:
        lookup_table(Address.of(address), RECORDS)
    assert f"no table was measured as {message}" == str(error.value)


def test_a_bound_that_is_not_the_documented_number_is_not_exempt() -> None:
    documented = "about 7 times (cuda.md)"
    judgement = judge(claim(">= 4.8", documented=documented), RECORDS)
    assert (Verdict.HOLDS, "tight") == (judgement.verdict, judgement.margin)
