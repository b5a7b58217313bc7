"""Expectations: a small closed grammar, read and never evaluated, and said in words."""

from __future__ import annotations

import pytest
from evidence.judge.claim import Check
from evidence.judge.expect import (
    GRAMMAR,
    Expectation,
    ExpectationError,
    Reference,
    parse,
)
from evidence.judge.wording import expected_words
from evidence.records.address import Address
from evidence.records.model import Plain
from evidence.records.units import BANDWIDTH, BYTES, COUNT, RATIO, SECONDS, SHARE, Unit
from factories import named, others, timing

PAGED = Reference(Address("copy", "paged_s"))


@pytest.mark.parametrize(
    ("expected", "text", "unit"),
    [
        (Expectation("<=", (Plain(2 * 2**20),)), "<= 2 MiB", BYTES),
        (Expectation(">=", (Plain(40e9),)), " >=40GB/s ", BANDWIDTH),
        (Expectation("==", (Plain(3),)), "== 3", COUNT),
        (Expectation(">", (Plain(-1e-5),)), "> -1e-5", COUNT),
        (
            Expectation(">=", (Reference(PAGED.address, 2.5),)),
            ">= 2.5 * copy.paged_s",
            SECONDS,
        ),
        (Expectation("<", (Reference(PAGED.address, 0.5),)), "< 0.5×.paged_s", SECONDS),
        (Expectation("==", (Plain("a..µ b"),)), '== "a..µ b"', COUNT),
        (Expectation("<", (PAGED,)), "< copy.paged_s", SECONDS),
        (Expectation("==", (PAGED,)), "== copy.paged_s", SECONDS),
        (Expectation("in", (Plain(0.003), Plain(0.004))), "in 3..4 ms", SECONDS),
        (
            Expectation("in", (Plain(0.0015), Plain(0.0025))),
            "in 1.5 .. 2.5 ms",
            SECONDS,
        ),
        (Expectation("in", (Plain(0.5), Plain(0.9))), "in 0.5..0.9", RATIO),
        (Expectation("in", (Plain(0.0005), Plain(1))), "in 500 µs..1 s", SECONDS),
        (Expectation("in", (Plain(1), PAGED)), "in 1..copy.paged_s", SECONDS),
        (
            Expectation("in", (Plain(1), Reference(PAGED.address, 0.9))),
            "in 1..0.9 * copy.paged_s",
            SECONDS,
        ),
        (Expectation("in", (Plain(1e-6), Plain(1e-5))), "in 1e-6..1e-5", COUNT),
        (Expectation("in", (Plain(2), Plain(2))), "in 2..2", COUNT),
        (Expectation("about", (Plain(0.8),), 5), "about 80 % ± 5 %", SHARE),
        (Expectation("about", (Plain(7),), 2.5), "about 7 +- 2.5%", RATIO),
        (Expectation("about", (PAGED,), 10), "about copy.paged_s +- 10%", SECONDS),
        (Expectation("true"), "true", COUNT),
        (Expectation("false"), "false", COUNT),
        (
            Expectation("raises", (Plain("torch.cuda.Err"), Plain("a: b"))),
            "raises torch.cuda.Err: a: b",
            COUNT,
        ),
    ],
)
def test_every_form_of_the_grammar_is_read(
    expected: Expectation, text: str, unit: Unit
) -> None:
    assert expected == parse(text, named(unit), "copy")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not understood"),
        ("4", "not understood"),
        (">=", "'=' is not a number"),
        ("in 1", "not understood"),
        ("in 1 to 2", "not understood"),
        ("about 7", "not understood"),
        ("about 7 +- some%", "not understood"),
        ("True", "not understood"),
        ("raises ValueError", "not understood"),
        ("raises ValueError:", "not understood"),
        ("raises: part", "not understood"),
        ("__import__('os')", "not understood"),
        ("= 4", "not understood"),
        ("!= 4", "not understood"),
        ("=> 4", "not understood"),
        ("== true", "'true' is not a number"),
        (">= fast", "'fast' is not a number"),
        (">= nan", "'nan' is not a number"),
        (">= inf", "'inf' is not a number"),
        (">= 1 + 1", "'+ 1' is no unit of a ratio (units: ×, x)"),
        (">= 4 ms", "'ms' is no unit of a ratio (units: ×, x)"),
        ("in 1..2..3", "'..3' is no unit of a ratio (units: ×, x)"),
        ("in 3..2", "the range is empty"),
        (">= copy.", "'copy.' is not a number"),
        ('>= "a"', "text has no order"),
        ('in "a".."b"', "text has no order"),
        ('about "a" +- 5%', "text has no order"),
        ('== "a', "Unterminated string starting at: line 1 column 1 (char 0)"),
        ('== "a" "b"', "Extra data: line 1 column 5 (char 4)"),
        (">= 0", "nothing measured is negative"),
        ("in 0..1e15", "nothing measured is negative"),
        ("about 7 +- 25%", "more than 10 % is a difference"),
        (">= [way=a].speedup", "the value is compared with itself"),
        ("in 1..2 * [way=a].speedup", "the value is compared with itself"),
        (
            "<= copy.low_s",
            "copy.low_s is measured in another unit (seconds, not ratio)",
        ),
        ("about 7 +- 5.5.5%", "could not convert string to float: '5.5.5'"),
    ],
)
def test_a_bad_expectation_tells_its_reason_and_the_grammar(
    text: str, reason: str
) -> None:
    with pytest.raises(ExpectationError) as error:
        parse(text, Address("copy", "t[way=a].speedup"), "copy.t")
    expected = f"bad expectation {text!r}: {reason}; write one of\n{GRAMMAR}"
    assert expected == str(error.value)


def test_references_are_the_addresses_of_other_values() -> None:
    within = parse("in a.b..c.d[size=4].e", named(COUNT))
    expected = (Address("a", "b"), Address("c", "d[size=4].e"))
    assert expected == within.references
    assert not parse("in 1..2", named(COUNT)).references
    assert not parse("true", named(COUNT)).references


def check(text: str, value: Address) -> Check:
    return Check(value, text, parse(text, value))


@pytest.mark.parametrize(
    ("expected", "text", "unit"),
    [
        ("yes", "true", COUNT),
        ("no", "false", COUNT),
        ("raises ValueError", "raises ValueError: no", COUNT),
        ("at least 1.5×", ">= 1.50", RATIO),
        ("at least 1.00005×", ">= 1.00005", RATIO),
        ("at most 2 MiB", "<= 2 MiB", BYTES),
        ("less than 0.0001", "< 0.0001", COUNT),
        ("more than 80 %", "> 80 %", SHARE),
        ("exactly 8", "== 8", COUNT),
        ("exactly 12,345,678", "== 12345678", COUNT),
        ("exactly 1,000,000,000,000,000", "== 1e15", COUNT),
        ("half {x}", '== "half {x}"', COUNT),
        ("3.3 ms to 4 ms", "in 3.3..4 ms", SECONDS),
        ("about 1,200 ± 2.5 %", "about 1200 +- 2.5%", COUNT),
        ("about 7× ± 5 %", "about 7 +- 5%", RATIO),
        ("more than 3.0 ms", "> other.paged_s", SECONDS),
        ("more than 2 × 3.0 ms", "> 2 * other.paged_s", SECONDS),
        ("3.0 ms to 10 s", "in other.paged_s..10", SECONDS),
        ("no difference, within 10 %", "about 1 +- 10%", RATIO),
    ],
)
def test_an_expectation_is_said_in_words(expected: str, text: str, unit: Unit) -> None:
    records = others(paged_s=timing(0.002, 0.004))
    words = expected_words(check(text, named(unit)), records, str)
    assert expected == words.replace("\u202f", " ")


def test_the_words_are_those_of_the_reader() -> None:
    german = {"at least {bound}": "mindestens {bound}"}.__getitem__
    expected = "mindestens 3×"
    assert expected == expected_words(check(">= 3", named(RATIO)), {}, german)


def test_most_and_least_compare_with_the_rows_of_a_table() -> None:
    value = Address("copy", "by_way[way=a].speedup")
    assert Expectation("most", (Plain(str(value)),)) == parse("most", value)
    assert Expectation("least", (Plain(str(value)),)) == parse("least", value)
    words = [expected_words(check(text, value), {}, str) for text in ("most", "least")]
    assert ["the most", "the least"] == words
    with pytest.raises(ExpectationError, match="the value is in no table"):
        parse("most", named(RATIO))
