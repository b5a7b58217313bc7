"""Expectations: a closed grammar, and verdicts of three values."""

from __future__ import annotations

import math
from typing import TypeAlias

import pytest
from evidence.judge.band import met
from evidence.judge.expect import (
    GRAMMAR,
    About,
    Compare,
    Expectation,
    ExpectationError,
    Number,
    Raises,
    Reference,
    Text,
    Truth,
    Within,
    describe,
    parse,
    references,
)
from evidence.records.address import Address
from evidence.records.model import Cell, Plain, Raised
from evidence.records.units import BANDWIDTH, BYTES, COUNT, RATIO, SECONDS, SHARE, Unit
from factories import bounds, cells, expectations, measurements, quick, timing
from hypothesis import given
from hypothesis import strategies as st

SMALL = Raised("ValueError", "is too small by 2")

Ends: TypeAlias = tuple[float, float]


def judged(text: str, cell: Cell, **others: Cell) -> bool | None:
    return met(parse(text, COUNT), cell, cells(**others))


@quick
@given(expectations)
def test_an_expectation_is_written_in_the_grammar(expectation: Expectation) -> None:
    assert expectation == parse(str(expectation), COUNT)


@pytest.mark.parametrize(
    ("expected", "text", "unit"),
    [
        (Compare("<=", Number(2 * 2**20)), "<= 2 MiB", BYTES),
        (Compare(">=", Number(40e9)), " >=40GB/s ", BANDWIDTH),
        (Compare("==", Number(3)), "== 3", COUNT),
        (Compare("!=", Text("a..b")), '!= "a..b"', COUNT),
        (
            Compare("<", Reference(Address.of("copy.paged_s"))),
            "< copy.paged_s",
            SECONDS,
        ),
        (Within(Number(0.003), Number(0.004)), "in 3..4 ms", SECONDS),
        (Within(Number(0.0015), Number(0.0025)), "in 1.5 .. 2.5 ms", SECONDS),
        (Within(Number(0.5), Number(0.9)), "in 0.5..0.9", RATIO),
        (Within(Number(0.0005), Number(1)), "in 500 µs..1 s", SECONDS),
        (
            Within(Number(1), Reference(Address.of("event.time_s"))),
            "in 1..event.time_s",
            SECONDS,
        ),
        (Within(Number(-1), Number(1e-5)), "in -1..1e-5", COUNT),
        (About(Number(0.8), 5), "about 80 % ± 5 %", SHARE),
        (About(Number(7), 2.5), "about 7 +- 2.5%", RATIO),
        (Truth(True), "true", COUNT),
        (Raises("torch.cuda.Err", "a: b"), "raises torch.cuda.Err: a: b", COUNT),
    ],
)
def test_every_form_of_the_grammar_is_read(
    expected: Expectation, text: str, unit: Unit
) -> None:
    assert expected == parse(text, unit)


BAD = (
    "|4|=> 4|= 4|>=|>= fast|>= 4 parsecs|>= nan|>= inf|>= 1 + 1|in 1|in 1..2..3|in 1 to 2"
    '|about 7|about 7 +- some%|about 7 +- .%|True|== true|>= "a"|== "a|== "a" or "b"'
    "|raises ValueError|raises ValueError:|raises: part|__import__('os')"
)


@pytest.mark.parametrize("text", BAD.split("|"))
def test_a_bad_expectation_shows_the_grammar(text: str) -> None:
    with pytest.raises(ExpectationError) as error:
        parse(text, RATIO)
    assert str(error.value).startswith(f"bad expectation {text!r}: ")
    assert str(error.value).endswith(GRAMMAR)


@pytest.mark.parametrize("operator", [">=", "<=", ">", "<"])
@quick
@given(cell=measurements, one=bounds, other=bounds)
def test_judging_is_monotone_in_the_bound(
    operator: str, cell: Cell, one: float, other: float
) -> None:
    easy, hard = sorted((one, other), reverse=operator in ("<", "<="))
    on_easy = met(Compare(operator, Number(easy)), cell, cells())
    on_hard = met(Compare(operator, Number(hard)), cell, cells())
    assert on_hard is not True or on_easy is True
    assert on_easy is not False or on_hard is False


@quick
@given(cell=measurements, low=bounds, high=bounds)
def test_a_range_is_both_of_its_bounds(cell: Cell, low: float, high: float) -> None:
    within = met(Within(Number(low), Number(high)), cell, cells())
    ends = [(">=", low), ("<=", high)]
    both = {
        met(Compare(operator, Number(end)), cell, cells()) for operator, end in ends
    }
    expected = False if False in both else None if None in both else True
    assert expected is within


@quick
@given(
    cell=measurements,
    bound=bounds,
    pair=st.sampled_from([(">=", "<"), ("<=", ">"), ("==", "!=")]),
)
def test_opposites_never_agree(cell: Cell, bound: float, pair: tuple[str, str]) -> None:
    first, second = (
        met(Compare(operator, Number(bound)), cell, cells()) for operator in pair
    )
    assert (first is None and second is None) or first is (not second)


@pytest.mark.parametrize(
    "text", ["== 1", "!= 1", ">= 1", "<= 1", "> 1", "< 1", "in 0..2", "about 1 +- 5%"]
)
@pytest.mark.parametrize("cell", [Plain(math.nan), timing(*[math.nan] * 6)])
def test_a_value_that_is_not_a_number_never_holds(text: str, cell: Cell) -> None:
    assert judged(text, cell) is not True


@pytest.mark.parametrize(
    ("text", "inside", "straddling", "outside"),
    [
        (">= 2", (2, 3), (1, 2), (1, 1.9)),
        ("<= 2", (1, 2), (2, 3), (2.1, 3)),
        ("> 2", (2.1, 3), (2, 3), (1, 2)),
        ("< 2", (1, 1.9), (1, 2), (2, 3)),
        ("in 2..3", (2, 3), (1, 2), (4, 5)),
        ("in 2..3", (2, 2), (3, 4), (1, 1.9)),
        ("in 2..3", (3, 3), (1, 4), (3.1, 5)),
        ("about 10 +- 10%", (9, 11), (8, 9), (12, 13)),
        ("about -10 +- 10%", (-11, -9), (-12, -11), (9, 11)),
        ("== 2", (2, 2), (2, 3), (3, 4)),
        ("!= 2", (3, 4), (1, 2), (2, 2)),
    ],
)
def test_an_interval_is_inside_outside_or_neither(
    text: str, inside: Ends, straddling: Ends, outside: Ends
) -> None:
    expected = [True, None, False]
    intervals = (inside, straddling, outside)
    assert expected == [judged(text, timing(*ends)) for ends in intervals]


@pytest.mark.parametrize(
    ("expected", "text", "cell"),
    [
        (True, ">= other.paged", timing(5, 6)),
        (None, ">= other.paged", timing(3.5, 6)),
        (False, ">= other.paged", timing(1, 2)),
        (None, "< other.paged", timing(1, 3)),
        (True, "in 1..other.paged", Plain(3)),
        (True, "about other.paged +- 40%", Plain(3.5)),
        (None, "== other.paged", Plain(3)),
        (True, "== other.dtype", Plain("torch.half")),
        (False, "!= other.dtype", Plain("torch.half")),
        (True, "!= other.dtype", Plain("torch.float")),
        (True, "true", Plain(True)),
        (False, "true", Plain(False)),
        (True, "false", Plain(False)),
        (True, '== "float32"', Plain("float32")),
        (False, '== "float32"', Plain("Float32")),
        (True, '!= "float32"', Plain("half")),
        (True, "raises ValueError: too small", SMALL),
        (False, "raises ValueError: too big", SMALL),
        (False, "raises TypeError: too small", SMALL),
        (True, "raises elsewhere.ValueError: too small", SMALL),
    ],
)
def test_a_value_is_judged_against_its_bound(
    expected: bool | None, text: str, cell: Cell
) -> None:
    assert expected is judged(text, cell, paged=timing(3, 4), dtype=Plain("torch.half"))


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        (Plain(True), [">= 1", "== 1", '== "a"', "raises ValueError: no"]),
        (Plain(1), ["true", '== "a"', ">= other.dtype", "raises ValueError: no"]),
        (Plain("fast"), [">= 1", "in 1..2", "== 1", "about 1 +- 5%", "true"]),
        (Plain("fast"), [">= other.dtype", "< other.dtype", "== other.paged"]),
        (timing(1, 2), ["true", '== "a"', "raises ValueError: no"]),
        (Raised("ValueError", "no"), [">= 1", "true", '== "ValueError"']),
    ],
)
def test_an_expectation_of_another_kind_is_an_error(
    cell: Cell, texts: list[str]
) -> None:
    for text in texts:
        with pytest.raises(ExpectationError):
            judged(text, cell, dtype=Plain("half"), paged=Plain(1))


def test_references_are_the_addresses_of_other_values() -> None:
    within = parse("in a.b..c.d[size=4].e", COUNT)
    expected = (Address.of("a.b"), Address.of("c.d[size=4].e"))
    assert expected == references(within)
    assert not references(parse("true", COUNT))


@pytest.mark.parametrize(
    ("words", "text", "unit"),
    [
        ("at least 3×", ">= 3", RATIO),
        ("at least 1.5×", ">= 1.5", RATIO),
        ("at least 80 %", ">= 80 %", SHARE),
        ("at most 2 MiB", "<= 2 MiB", BYTES),
        ("less than 1,000", "< 1000", COUNT),
        ("less than 0.0001", "< 0.0001", COUNT),
        ("3 ms to 4 ms", "in 3..4 ms", SECONDS),
        ("about 7× ± 5 %", "about 7 +- 5%", RATIO),
        ("more than copy.paged_s", "> copy.paged_s", SECONDS),
        ("not half", '!= "half"', COUNT),
        ("half", '== "half"', COUNT),
        ("yes", "true", COUNT),
        ("raises ValueError", "raises ValueError: no", COUNT),
    ],
)
def test_an_expectation_is_described_in_words(
    words: str, text: str, unit: Unit
) -> None:
    assert words == describe(parse(text, unit), unit, str, str).replace("\u202f", " ")
