"""What a ratio is called in a sentence, and that one near 1 is no number there."""

from __future__ import annotations

import pytest
from evidence.judge.claim import Check
from evidence.judge.ratios import about, alike, contrary
from evidence.judge.wording import addresses, wording
from evidence.records.address import Address
from evidence.records.model import Cell, Plain, Raised
from factories import claim, record, timing

GAIN, COST = Address("copy", "speedup"), Address("copy", "step_slowdown")


@pytest.mark.parametrize(
    ("word", "value", "before", "after"),
    [
        ("", GAIN, "The pinned copy is ", " faster than any."),
        ("", GAIN, "It takes longer; a copy is ", " as fast, or slower."),
        ("", GAIN, "What was slower is faster by ", ""),
        ("", GAIN, "It is ", " as fast."),
        ("slower", GAIN, "The copy is ", " slower than any."),
        ("longer", GAIN, "It is faster, and takes longer (", ")."),
        ("as slow", GAIN, "It is ", " as slow."),
        ("as long", GAIN, "It takes ", " as long."),
        ("as fast", COST, "It is ", " as fast."),
        ("the time", GAIN, "It takes ", " the time of the other."),
        ("", COST, "It is ", " slower."),
        ("", COST, "It takes ", " as much time."),
        ("faster", COST, "It is faster (", ")."),
        ("the speed", COST, "It has ", " the speed of the other."),
        ("", Address("copy", "size_ratio"), "It is ", " slower."),
        ("", Address("copy", "copy_s"), "It is slower: ", " longer."),
        ("", GAIN, "锁页拷贝快到 ", "。"),
        ("", GAIN, "另一个更慢，它快 ", "。"),
        ("慢", GAIN, "可分页拷贝慢 ", "，锁页拷贝更快。"),
        ("用时", GAIN, "拷贝用时是其 ", "。"),
        ("", COST, "一步用时是其 ", "。"),
        ("", COST, "一步慢 ", "。"),
        ("快", COST, "一步快 ", "，另一步更慢。"),
        ("速度", COST, "速度是其 ", "。"),
        ("", COST, "快照是其 ", "。"),
        ("", Address("copy", "size_ratio"), "它慢 ", "。"),
    ],
)
def test_a_speedup_is_not_called_slower(
    word: str, value: Address, before: str, after: str
) -> None:
    assert word == contrary(value, before, after)


def checks_of(*expected: str, value: str = "copy.speedup") -> list[Check]:
    return [check for text in expected for check in claim(text, value).checks]


SAME = timing(0.99, 1.03)


@pytest.mark.parametrize(
    ("is_alike", "expected", "cell"),
    [
        (True, ["about 1 +- 10 %"], SAME),
        (True, ["in 0.9..1.1"], SAME),
        (True, [">= 0.95", "<= 1.02"], Plain(1.0)),
        (True, ["in 0.5..1.5", "about 1 +- 5 %"], SAME),
        (False, [], SAME),
        (False, ["<= 1.05"], SAME),
        (False, [">= 0.95", "< 1.2"], SAME),
        (False, ["in 0.9..1.12"], SAME),
        (False, ["in 0.89..1.1"], SAME),
        (False, ["in 1.01..1.1"], SAME),
        (False, ["about copy.other_speedup +- 5 %"], SAME),
        (False, ["about 1 +- 10 %"], timing(1.29, 1.31)),
        (False, ["about 1 +- 10 %"], timing(0.7, 0.8)),
        (False, ["about 1 +- 10 %"], Raised("ValueError", "no")),
    ],
)
def test_a_ratio_is_alike_where_all_its_band_is_near_1(
    is_alike: bool, expected: list[str], cell: Cell
) -> None:
    assert is_alike is alike(GAIN, cell, checks_of(*expected))


def test_only_a_ratio_is_alike_and_by_its_own_checks() -> None:
    share = Address("copy", "link_share")
    checks = checks_of("about 100 % +- 5 %", value="copy.link_share")
    assert not alike(share, SAME, checks)
    assert not alike(COST, SAME, checks_of("about 1 +- 5 %"))


RATIO = Address("copy", "peak_ratio")


@pytest.mark.parametrize(
    ("words", "value", "before", "after"),
    [
        ("about", GAIN, "The copy is ", " as fast as the other."),
        ("about", COST, "A step takes ", " as long, and no more."),
        ("about", COST, "The clock shows ", " as much time as events."),
        ("about", RATIO, "Both together take ", " the time of one."),
        ("about", RATIO, "The penalty is ", " that in FP64."),
        ("about", GAIN, "It is 1.4× as fast here, and ", " as fast there."),
        ("about as fast", GAIN, "The copy is ", "."),
        ("about as fast", GAIN, "If pinned, it runs ", " if nothing else runs."),
        ("about as long", COST, "A step takes ", "; the first one less."),
        ("", RATIO, "The peak is ", "."),
        ("", COST, "The copy is ", "."),
        ("", GAIN, "It is no faster (", ")."),
        ("", GAIN, "They are ", " and .other_speedup as fast."),
        ("", GAIN, "They are 1.3× and ", " as fast."),
        ("", GAIN, "They are 1.3×, ", " and .other_speedup as fast."),
        ("", GAIN, "It is only ", " as fast."),
        ("", GAIN, "It is about ", " as fast."),
        ("", GAIN, "快 ", " 倍"),
    ],
)
def test_about_reads_well_beside_its_words(
    words: str, value: Address, before: str, after: str
) -> None:
    assert words == about(value, before, after)


@pytest.mark.parametrize(
    ("words", "before", "after", "expected"),
    [
        ("about", "It is ", " as fast.", "about 1 +- 5 %"),
        ("about as fast", "It is ", ".", "about 1 +- 5 %"),
        ("1.01×", "They are 2× and ", " as fast.", "about 1 +- 5 %"),
        ("1.01×", "It is ", " as fast.", "<= 1.05"),
        ("1.010×", None, "", "about 1 +- 5 %"),
    ],
)
def test_the_expectation_of_a_ratio_decides_what_a_sentence_prints(
    words: str, before: str | None, after: str, expected: str
) -> None:
    records = {"copy": record("copy", {"speedup": timing(1.0095, 1.0105)})}
    role, checks = ".speedup", checks_of(expected)
    values = addresses(role, "copy")
    assert words == wording(role, values, records, str, before, after, checks)
