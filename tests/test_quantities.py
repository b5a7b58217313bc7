"""What a typed number is, in whatever letters, and what nobody sees."""

from __future__ import annotations

import pytest
from evidence.site.reading import quantities
from evidence.site.reading.quantities import CODE, VALUE


@pytest.mark.parametrize(
    "typed",
    [
        *("3 times", "42 GB/s", "7×", "4 х", "factor of 7", "1½ μs", "20 %", "1.5 s"),
        *(
            "5\u00a0\u00a0ms",
            "All 20",
            "9 of 21",
            "9 of 1000",
            "19 out of",
            "2 billion",
        ),
        *("¹⁰⁰×", "①⓪ ms", "６ｍｓ", "𝟙𝟚 times", "٣ %", "½ s", "Ⅷ times"),
        *("speedup of 9", "Gains of 8", "error of 2", "ratio of 4", "throughput of 6"),
        *("nine out of", "thirteen times faster", "forty percent", "eighteen bytes"),
        *("hundred times slower", "thousand times less", "factor of ten", "threefold"),
        *("an order of magnitude", "two orders of magnitude", "triples", "quadrupled"),
        *("a third of the time", "two fifths of the memory", "Twice as fast"),
    ],
)
def test_a_typed_quantity_is_found_as_it_is_written(typed: str) -> None:
    assert typed == quantities.first(f"It had {typed}, so it is.")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "10 × 12",
            f"10 × {VALUE}",
            f"{VALUE} times",
            f"8 × {CODE}",
            "16-bit",
            "sm_80",
        ),
        *("three times", "twice as long", "a factor of 1.25", "10⁹ elements", "2²⁰"),
        *("more than a third of the time", "a multiple of sixteen bytes"),
        *("the same order of magnitude", "a third stream", "many times as large"),
        f"{VALUE} of the tries",
        "99 of 100",
    ],
)
def test_what_is_counted_or_given_is_none(text: str) -> None:
    assert "" == quantities.first(f"It is {text} here.")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("… per", f"It takes {VALUE} per lane"),
        ("…) per", f"(or {VALUE}) per lane"),
        ("… squared", f"{VALUE} squared"),
        ("…/", f"{VALUE}/s"),
        ("1…", f"It is 1{VALUE}"),
        ("…3", f"It is {VALUE}34"),
    ],
)
def test_what_is_typed_on_to_a_value_makes_another_of_it(typed: str, text: str) -> None:
    assert typed == quantities.first(text)


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ("100×", "100×"),
        ("12 GB/s", "x = 12 GB/s"),
        ("", "three times faster"),
        ("", "%"),
    ],
)
def test_in_code_it_has_digits(expected: str, code: str) -> None:
    assert expected == quantities.first(code, in_code=True)


@pytest.mark.parametrize(
    "character",
    [
        *(
            "\u200b",
            "\u200c",
            "\u200d",
            "\u2060",
            "\ufeff",
            "\u00ad",
            "\u202e",
            "\u2066",
        ),
        *(
            "\x08",
            "\u180e",
            "\U000e0041",
            "\ue000",
            "\u034f",
            "\ufe0f",
            "\u0338",
            "\u20dd",
        ),
        *("\u3164", "\u2800"),
    ],
)
def test_a_character_that_nobody_sees_is_found(character: str) -> None:
    assert character == quantities.invisible(f"“6.5{character}×” 倍")


@pytest.mark.parametrize(
    "text", ["“6.5\u202f×”\n…\tü", f"{VALUE}–{CODE}", "快了，倍。"]
)
def test_what_is_seen_stays(text: str) -> None:
    assert "" == quantities.invisible(text)
