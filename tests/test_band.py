"""A measured value meets an expectation, does not, or does not tell."""

from __future__ import annotations

import math
from typing import TypeAlias

import pytest
from evidence.judge.band import band, interval_of, met
from evidence.judge.expect import Expectation, ExpectationError, parse
from evidence.records.address import Address
from evidence.records.model import Cell, Interval, Plain, Raised, Table
from evidence.records.units import COUNT
from factories import bounds, measurements, named, others, quick, record, timing
from hypothesis import given
from hypothesis import strategies as st

Ends: TypeAlias = tuple[float, float]

SMALL = Raised("torch.cuda.ValueError", "is too small by 2")
OTHERS = others(paged=timing(3, 4), idle=timing(0, 4), exact=3, dtype="torch.half")


def judged(text: str, cell: Cell) -> bool | None:
    return met(parse(text, named(COUNT)), cell, OTHERS)


def compared(operator: str, cell: Cell, bound: float) -> bool | None:
    return met(Expectation(operator, (Plain(bound),)), cell, {})


@pytest.mark.parametrize("operator", [">=", "<=", ">", "<"])
@quick
@given(cell=measurements, one=bounds, other=bounds)
def test_judging_is_monotone_in_the_bound(
    operator: str, cell: Cell, one: float, other: float
) -> None:
    easy, hard = sorted((one, other), reverse=operator in ("<", "<="))
    on_easy, on_hard = (compared(operator, cell, bound) for bound in (easy, hard))
    assert on_hard is not True or on_easy is True
    assert on_easy is not False or on_hard is False


@quick
@given(cell=measurements, low=bounds, high=bounds)
def test_a_range_is_both_of_its_bounds(cell: Cell, low: float, high: float) -> None:
    within = met(Expectation("in", (Plain(low), Plain(high))), cell, {})
    both = {compared(">=", cell, low), compared("<=", cell, high)}
    expected = False if False in both else None if None in both else True
    assert expected is within


@quick
@given(
    cell=measurements,
    bound=bounds,
    pair=st.sampled_from([(">=", "<"), ("<=", ">")]),
)
def test_opposites_never_agree(cell: Cell, bound: float, pair: tuple[str, str]) -> None:
    first, second = (compared(operator, cell, bound) for operator in pair)
    assert (first is None and second is None) or first is (not second)


@pytest.mark.parametrize(
    "text", ["== 1", ">= 1", "<= 1", "> 1", "< 1", "in 1..2", "about 1 +- 5%"]
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
        ("about 0 +- 10%", (0, 0), (-1, 1), (0.1, 1)),
        ("== 2", (2, 2), (2, 3), (3, 4)),
        (">= other.paged", (4, 6), (3.5, 6), (1, 2)),
        ("< other.paged", (1, 2), (1, 3), (4, 5)),
        ("== other.exact", (3, 3), (3, 4), (1, 2)),
        ("in other.exact..4", (3, 4), (2, 3), (1, 2)),
        ("in 1..other.paged", (1, 3), (1, 4), (5, 6)),
        ("about other.exact +- 10%", (2.8, 3.2), (3, 4), (6, 7)),
        (">= 2 * other.exact", (6, 7), (5, 7), (3, 5)),
        ("< 0.5 * other.exact", (1, 1.4), (1, 2), (2, 3)),
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
        (True, "true", Plain(True)),
        (False, "true", Plain(False)),
        (True, "false", Plain(False)),
        (True, '== "float32"', Plain("float32")),
        (False, '== "float32"', Plain("Float32")),
        (True, "== other.dtype", Plain("torch.half")),
        (True, "raises ValueError: too small", SMALL),
        (True, "raises elsewhere.ValueError: by 2", SMALL),
        (False, "raises ValueError: too big", SMALL),
        (False, "raises torch.cuda.TypeError: too small", SMALL),
    ],
)
def test_what_is_no_number_is_met_or_not(expected: bool, text: str, cell: Cell) -> None:
    assert expected is judged(text, cell)


@pytest.mark.parametrize(
    ("message", "text", "cell"),
    [
        ("does not fit 1", "true", Plain(1)),
        ("does not fit 1.5", "true", timing(1, 2)),
        ("does not fit 'text'", "raises A: b", Plain("text")),
        ("does not fit 'E: no'", "false", Raised("E", "no")),
        ("takes True for a number", "== 1", Plain(True)),
        ("takes True for a number", '== "a"', Plain(True)),
        ("takes 'half' for a number", ">= 1", Plain("half")),
        ("takes 'half' for a number", "in 1..2", Plain("half")),
        ("takes 'half' for a number", "about 1 +- 5%", Plain("half")),
        ("takes 'half' for a number", "< other.dtype", Plain("half")),
        ("takes 'E: no' for a number", "== 1", Raised("E", "no")),
        ("takes 'torch.half' for a number", "<= other.dtype", Plain(3)),
        ("takes 'a' for a number", '== "a"', timing(1, 2)),
    ],
)
def test_an_expectation_of_another_kind_is_an_error(
    message: str, text: str, cell: Cell
) -> None:
    with pytest.raises(ExpectationError) as error:
        judged(text, cell)
    assert message == str(error.value)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ((2, 2), None, "> 2"),
        ((2, 2), None, ">= 2"),
        (None, (2, 2), "< 2"),
        (None, (2, 2), "<= 2"),
        (None, (3, 4), "<= other.paged"),
        ((3, 4), (9, 9), "in other.paged..9"),
        (None, None, "== 2"),
        (None, None, "true"),
        ((0, 0), (0, 0), "about 0 +- 10%"),
        ((0.9375, 0.9375), (1.0625, 1.0625), "about 1 +- 6.25%"),
        ((-4.25, -4.25), (-3.75, -3.75), "about -4 +- 6.25%"),
        ((2.8125, 3.75), (3.1875, 4.25), "about other.paged +- 6.25%"),
        ((0, 3.75), (0, 4.25), "about other.idle +- 6.25%"),
    ],
)
def test_a_band_has_the_ends_that_its_expectation_names(
    low: Ends | None, high: Ends | None, text: str
) -> None:
    expected = tuple(ends and Interval(*ends) for ends in (low, high))
    assert expected == band(parse(text, named(COUNT)), OTHERS)


def test_the_interval_of_a_number_is_the_number() -> None:
    assert Interval(0.5, 0.5) == interval_of(Plain(0.5))
    assert Interval(1, 2) == interval_of(timing(1, 2))


@pytest.mark.parametrize(
    ("expected", "way", "expect"),
    [
        (True, "fast", "most"),
        (False, "slow", "most"),
        (None, "close", "most"),
        (True, "slow", "least"),
        (False, "fast", "least"),
    ],
)
def test_the_most_is_more_than_every_other_row(
    expected: bool | None, way: str, expect: str
) -> None:
    rates = {"slow": timing(1, 2), "fast": timing(5, 6), "close": timing(4, 7)}
    shown = rates if way == "close" else {**rates, "close": timing(3, 4)}
    rows = [{"way": Plain(name), "rate": rate} for name, rate in shown.items()]
    records = {"copy": record("copy", {"ways": Table(tuple(rows))})}
    value = Address("copy", f"ways[way={way}].rate")
    assert expected is met(parse(expect, value), rates[way], records)


@pytest.mark.parametrize(
    ("expected", "way", "expect"),
    [
        ((6.5, 7.5), "third", "most"),
        ((1.5, 2.5), "third", "least"),
        ((4.5, 5.5), "first", "most"),
        ((3.5, 4.5), "second", "least"),
    ],
)
def test_the_most_and_the_least_are_compared_with_the_nearest_of_the_others(
    expected: Ends, way: str, expect: str
) -> None:
    """The middle of three is neither, which two rows would not show."""
    rates = {"second": 2.0, "first": 7.0, "third": 4.0, "fourth": 5.0}
    rows = tuple(
        {"way": Plain(name), "rate": timing(rate - 0.5, rate + 0.5)}
        for name, rate in rates.items()
    )
    records = {"copy": record("copy", {"ways": Table(rows)})}
    parsed = parse(expect, Address("copy", f"ways[way={way}].rate"))

    low, high = band(parsed, records)

    assert (low is None, high is None) == (expect == "least", expect == "most")
    bound = low or high
    assert bound is not None
    assert Interval(*expected) == bound
    value = timing(rates[way], rates[way])
    assert (way != "third") is met(parsed, value, records)


def test_the_only_row_of_a_table_is_not_the_most() -> None:
    rows = ({"way": Plain("one"), "rate": timing(1, 2)},)
    records = {"copy": record("copy", {"ways": Table(rows)})}
    value = Address("copy", "ways[way=one].rate")
    with pytest.raises(ExpectationError, match=r"^has no other row to compare with$"):
        met(parse("most", value), timing(1, 2), records)
