"""Quantities that are typed in Chinese, and those that the English has in its own words."""

from __future__ import annotations

import pytest
from evidence.judge.choices import is_reversed
from evidence.site.reading.chinese import amount, typed, values
from evidence.site.reading.quantities import CODE, VALUE


@pytest.mark.parametrize(
    "quantity",
    [
        *(
            "3 倍",
            "三倍",
            "两倍",
            "一倍",
            "2.5 倍",
            "一半",
            "半秒",
            "5 毫秒",
            "５ 毫秒",
            "① 毫秒",
        ),
        *(
            "20 微秒",
            "三分钟",
            "两小时",
            "两个小时",
            "十秒",
            "5%",
            "5 %",
            "5 ms",
            "7×",
            "五成",
        ),
        *(
            "百分之五",
            "三分之一",
            "千分之二",
            "20 次",
            "三次",
            "三百个",
            "一百万步",
            "4 GB",
        ),
        *(
            "两千字节",
            "100 万次",
            f"{VALUE} 毫秒",
            f"{VALUE}倍",
            f"{VALUE} 万",
            f"三 {VALUE}",
        ),
    ],
)
def test_a_quantity_that_the_english_lacks_is_found(quantity: str) -> None:
    found = [*typed(f"它快了{quantity}。", "It is so.")]
    assert quantity.replace(VALUE, "…").translate(str.maketrans("５①", "51")) in found


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("twice as long, half a second", "长一倍，半秒"),
        ("twice as long", "两倍"),
        ("half as long again as three of a million", "长一半，一百万个里的三个"),
        ("a hundredth, less than a third", "百分之一，不到三分之一"),
        ("thirty-two steps, 5 ms, 20 tries", "三十二步，5 毫秒，20 次"),
        (f"{VALUE} times as fast", f"快到 {VALUE} 倍"),
        (f"{VALUE} MiB, 8 × {CODE}", f"{VALUE} MiB，8 × {CODE}"),
        ("5 percent", "百分之五"),
        ("open in November 2026", "2026 年十一月时尚未关闭"),
        ("a gigabyte", "1 GB"),
        (
            "It is so.",
            "十分慢，数百万个，几十个，两次调用之间，一次，半精度，分成，千万别等",
        ),
        ("It is so.", "FP16 的第二步，PyTorch 2.10 之后，二十成立"),
    ],
)
def test_what_the_english_says_is_none(english: str, said: str) -> None:
    assert [] == [*typed(said, english)]


@pytest.mark.parametrize(
    ("english", "said"),
    [
        ("5 steps", "5 毫秒"),
        ("three times", "三秒"),
        (f"{VALUE} times", f"{VALUE} 倍，{VALUE} 倍"),
    ],
)
def test_a_number_of_another_unit_is_another_one(english: str, said: str) -> None:
    assert [*typed(said, english)]


def test_numbers_in_words_are_read() -> None:
    known = values(
        "thirty-two, two hundred thousand; a ten-millionth, a twentieth, 1,024"
    )
    assert {32, 200_000, 10_000_000, 20, 1024} <= known
    assert not {34, 1_024_000, 232} & known
    for number, expected in {
        "三万五千": 35_000,
        "十五": 15,
        "两百": 200,
        "1.5": 1.5,
    }.items():
        assert expected == amount(number)


@pytest.mark.parametrize(
    ("words", "translated", "expected"),
    [
        ("is | is not", "true: 是 | false: 不是", False),
        ("is | is not", "false: 不是 | true: 是", False),
        ("is | is not", "true: 不是 | false: 是", True),
        ("is | is not", "是 | 不是", True),
        ("is | is not", "true: 是", True),
        ("true: is not | false: is", "true: 不是 | false: 是", False),
        ("true: is busy | false: is idle", "true: 很忙 | false: 不忙", False),
        ("no step | one | #", "没有步 | 一步 | # 步", False),
        ("always | # of # | never", "从不 | #/# | 总是", True),
    ],
)
def test_a_translated_choice_is_the_right_way_round(
    words: str, translated: str, expected: bool
) -> None:
    split = [text.split(" | ") for text in (words, translated)]
    assert expected is is_reversed(*split)
