"""Edges of the grammar and of its bands that a mutation of the code would move."""

from __future__ import annotations

import pytest
from evidence.judge.band import band, interval_of, met
from evidence.judge.expect import (
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
)
from evidence.records.address import Address
from evidence.records.model import Cell, Interval, Plain, Raised
from evidence.records.units import COUNT, RATIO
from factories import cells, timing


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("not understood", "4"),
        ("the range is empty", "in 3..2"),
        ("text has no order", '>= "a"'),
        ("text has no order", 'in "a".."b"'),
        ("text has no order", 'about "a" +- 5%'),
        ("Extra data: line 1 column 5 (char 4)", '== "a" "b"'),
        ("'fast' is not a number", ">= fast"),
        ("could not convert string to float: '5.5.5'", "about 7 +- 5.5.5%"),
    ],
)
def test_a_bad_expectation_tells_its_reason(reason: str, text: str) -> None:
    with pytest.raises(ExpectationError) as error:
        parse(text, RATIO)
    expected = f"bad expectation {text!r}: {reason}; write one of"
    assert expected == str(error.value).splitlines()[0]


@pytest.mark.parametrize(
    ("message", "expectation", "cell"),
    [
        (
            "'>= copy.dtype': text has no order",
            Compare(">=", Reference(Address.of("copy.dtype"))),
            Plain("half"),
        ),
        (
            "the expectation 'true' does not fit the value 1",
            Truth(True),
            Plain(1),
        ),
        (
            "the expectation 'true' does not fit a timing",
            Truth(True),
            timing(1, 2),
        ),
        (
            "the expectation 'raises A: b' does not fit the value 'text'",
            Raises("A", "b"),
            Plain("text"),
        ),
        (
            "the expectation 'false' does not fit the exception ValueError: too small",
            Truth(False),
            Raised("ValueError", "too small"),
        ),
        (
            "other.n is not text",
            Compare("==", Reference(Address.of("other.n"))),
            Plain("half"),
        ),
        ("3 is not text", Compare("==", Number(3)), Plain("half")),
        ('"half" is not a number', Compare("==", Text("half")), Plain(3)),
        (
            "the value True cannot be compared with a number",
            Compare("==", Number(1)),
            Plain(True),
        ),
        (
            "the exception ValueError: no cannot be compared with a number",
            Compare("==", Number(1)),
            Raised("ValueError", "no"),
        ),
    ],
)
def test_an_expectation_that_does_not_fit_says_what_was_measured(
    message: str, expectation: Expectation, cell: Cell
) -> None:
    with pytest.raises(ExpectationError) as error:
        met(expectation, cell, cells(n=1, dtype="half"))
    assert message == str(error.value)


def test_text_is_written_in_the_grammar_as_it_is_read() -> None:
    expected = '== "µs × ü"'
    assert expected == str(Compare("==", Text("µs × ü")))


@pytest.mark.parametrize(
    ("expected", "expectation"),
    [
        ((Interval(2, 2), None), Compare(">", Number(2))),
        ((Interval(2, 2), None), Compare(">=", Number(2))),
        ((None, Interval(2, 2)), Compare("<", Number(2))),
        ((None, Interval(2, 2)), Compare("<=", Number(2))),
        ((None, Interval(3, 4)), Compare("<=", Reference(Address.of("other.paged")))),
        (
            (Interval(3, 4), Interval(9, 9)),
            Within(Reference(Address.of("other.paged")), Number(9)),
        ),
        ((None, None), Compare("==", Number(2))),
        ((None, None), Truth(True)),
        ((Interval(0, 0), Interval(0, 0)), About(Number(0), 50)),
        ((Interval(0.25, 0.25), Interval(0.75, 0.75)), About(Number(0.5), 50)),
        ((Interval(-6, -6), Interval(-2, -2)), About(Number(-4), 50)),
        (
            (Interval(1.5, 2), Interval(4.5, 6)),
            About(Reference(Address.of("other.paged")), 50),
        ),
        (
            (Interval(0, 2), Interval(0, 6)),
            About(Reference(Address.of("other.idle")), 50),
        ),
    ],
)
def test_a_band_has_the_ends_that_its_expectation_names(
    expected: tuple[Interval | None, Interval | None], expectation: Expectation
) -> None:
    assert expected == band(expectation, cells(paged=timing(3, 4), idle=timing(0, 4)))


@pytest.mark.parametrize(
    ("expected", "text", "cell"),
    [
        (True, "!= other.paged", Plain(5)),
        (None, "!= other.paged", Plain(3)),
        (False, "!= other.exact", Plain(3)),
        (True, "in other.exact..4", Plain(3)),
        (True, "<= other.paged", Plain(3)),
        (True, "about 0 +- 10%", Plain(0)),
        (True, "about 0.5 +- 10%", Plain(0.5)),
        (False, "about 0.5 +- 10%", Plain(0.6)),
        (
            True,
            "raises OutOfMemoryError: 2 MiB",
            Raised("torch.OutOfMemoryError", "2 MiB"),
        ),
        (True, "raises torch.E: no", Raised("torch.cuda.E", "no")),
        (False, "raises torch.E: no", Raised("torch.F", "no")),
    ],
)
def test_a_value_at_an_edge_is_judged(
    expected: bool | None, text: str, cell: Cell
) -> None:
    lookup = cells(paged=timing(3, 4), exact=3)
    assert expected is met(parse(text, COUNT), cell, lookup)


def test_the_interval_of_a_number_is_the_number() -> None:
    assert Interval(0.5, 0.5) == interval_of(Plain(0.5))
    assert Interval(1, 2) == interval_of(timing(1, 2))


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("no", "false"),
        ("yes", "true"),
        ("exactly 8", "== 8"),
        ("not 8", "!= 8"),
        ("exactly 1,000,000", "== 1000000"),
        ("exactly 12,345,678", "== 12345678"),
        ("exactly 999,999,999,999,999", "== 999999999999999"),
        ("exactly 1,000,000,000,000,000", "== 1e15"),
        ("more than 2.5", "> 2.50"),
        ("about 1,200 ± 2.5 %", "about 1200 +- 2.5%"),
        ("other.paged to 10", "in other.paged..10"),
    ],
)
def test_a_bound_is_written_exactly(expected: str, text: str) -> None:
    assert expected == describe(parse(text, COUNT), COUNT, str, str)
