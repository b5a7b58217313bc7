"""Quantities that are typed in Chinese, compared with the English that they translate.

English may say some in words: "twice as long", "half a second". So 两倍 or 半秒 is a typed
number where the English has no such number, or no such unit.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from functools import cache

from evidence.site.reading.quantities import CODE, VALUE, written

_DIGITS = {
    **dict(zip("一二三四五六七八九", range(1, 10), strict=True)),
    "两": 2,
    "零": 0,
}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
_NUMERAL = f"[{''.join([*_DIGITS, *_POWERS])}]"
#: A number in digits or numerals; neither a part of a name or of a longer number, nor a vague one.
_NUMBER = (
    r"(?<![A-Za-z\d_.,])\d+(?:,\d{3})*(?:\.\d+)?(?:\s*[百千万亿]+)?"
    rf"|一?半|(?<![数几上成好{''.join([*_DIGITS, *_POWERS])}]){_NUMERAL}+"
)
#: Units, and the English for each; a multiple is said with many words.
_UNITS = {
    r"倍|折(?![算叠])|成(?![立为功员本了效熟就比对])": "",
    r"毫秒|ms(?![a-z])": r"milliseconds?|ms",
    r"微秒|[µμu]s(?![a-z])": r"microseconds?|[µμu]s",
    r"纳秒|ns(?![a-z])": r"nanoseconds?|ns",
    r"秒|s(?![a-z])": r"seconds?|s",
    r"分钟": r"minutes?",
    r"个?小时": r"hours?",
    r"[%％]|个百分点": r"%|per ?cent",
    r"(?:[KMGT]i?)?B(?![a-z])|[千兆吉]?字节": r"[KMGT]i?B|\w*bytes?",
    r"[MGT]?Hz|[兆千吉]?赫": r"[MGT]?Hz",
    r"瓦": r"watts?|W",
    rf"[×x✕](?!\s*[\da-z{VALUE}{CODE}])": r"[×x✕]|times|fold",
}
#: Words for what is counted; one and two of it are often no number: 两次调用之间.
_COUNTED = re.compile(
    r"\s*(?:次|遍|步|个|种|块|张|台|条|轮|组|行|列|层|批|处|项|位|路|份|段|对|根|倍)"
)
_FRACTION = re.compile(rf"\s*分之\s*({_NUMERAL}+|\d+)")
_MEASURED = {re.compile(rf"\s*(?:{unit})"): english for unit, english in _UNITS.items()}
_FOUND = re.compile(_NUMBER)
#: A value that becomes another one by what stands behind it, or before it.
_ON_TO_VALUE = re.compile(
    rf"{VALUE}\s*[百千万亿]|[两三四五六七八九十百千万亿]\s?{VALUE}"
)
_TIMES = "times|fold"

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_WORDS: dict[str, float] = {
    **{word: n for n, word in enumerate(_SMALL.split())},
    **{word: 10 * n for n, word in enumerate(_TENS.split(), 3)},
    "first": 1,
    "a": 1,
    "an": 1,
    "single": 1,
    "once": 1,
    "second": 2,
    "twice": 2,
    "third": 3,
    "thrice": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
    "quarter": 4,
    "dozen": 12,
    "both": 2,
    "pair": 2,
    "double": 2,
    "doubl": 2,
    "tripl": 3,
    "quadrupl": 4,
    "half": 0.5,
    "halv": 0.5,
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
}
_MONTHS = [*calendar.month_name][1:]
_DATED = re.compile(rf"\b({'|'.join(_MONTHS)})(?= \d)")
#: Thousandth, doubled, halving, twentieth.
_ENDS = ("th", "ed", "es", "e", "ing")
_WORD = re.compile(r"\d[\d,]*(?:\.\d+)?|[a-z]+|[,;:.()]")


def typed(said: str, english: str) -> Iterator[str]:
    """Quantities that a Chinese text has and its English has not, as they are written.

    :param said: with a character each for measured values and for code, as ``english``
    """
    said = written(said)
    yield from _on_to_values(said, english)
    known = values(english)
    for match in _FOUND.finditer(said):
        if words := _unknown(match, known, english):
            yield words


def _on_to_values(said: str, english: str) -> Iterator[str]:
    """What is typed on to a value, as long as the English does not do so as often."""
    for unit, words in _UNITS.items():
        found = re.findall(rf"{VALUE}\s*(?:{unit})", said)
        known = re.findall(rf"{VALUE}[\s-]*(?:{words or _TIMES})(?!\w)", english)
        yield from (each.replace(VALUE, "…") for each in found[len(known) :])
    for match in _ON_TO_VALUE.finditer(said):
        yield match[0].replace(VALUE, "…")


def _unknown(match: re.Match[str], known: frozenset[float], english: str) -> str:
    """A number with what follows it, if the English has no such quantity."""
    value, rest = amount(match[0]), match.string[match.end() :]
    if fraction := _FRACTION.match(rest):
        part = amount(fraction[1])
        is_share = value == 100 and re.search(r"%|per ?cent", english)
        is_known = (value in known or is_share) and (part in {1, *known})
        return "" if is_known else match[0] + fraction[0]
    if match[0] == "一半":
        return "" if value in known else match[0]
    for unit, words in _MEASURED.items():
        if found := unit.match(rest):
            # 快一倍 is twice as fast.
            is_double = value == 1 and found[0].strip() == "倍"
            is_known = (2 if is_double else value) in {1, *known}
            said = not words or re.search(rf"(?<![a-zA-Z])(?:{words})(?!\w)", english)
            return "" if is_known and said else match[0] + found[0]
    counted = _COUNTED.match(rest)
    return match[0] + counted[0] if counted and value not in {0.5, 1, 2, *known} else ""


@cache
def values(english: str) -> frozenset[float]:
    """The numbers of an English text, in digits and in words: 7, twice, a hundredth, thirty-two."""
    found: set[float] = set()
    product = 0.0
    for word in _WORD.findall(english.lower()):
        value = _english(word)
        if value is None:
            product = 0
            continue
        is_power = product and value >= 100 and word[0].isalpha()
        product = product * value if is_power else _added(product, value)
        found |= {value, product}
    months = {_MONTHS.index(month) + 1 for month in _DATED.findall(english)}
    return frozenset(found | months | ({2} if 0.5 in found else set()))


def _added(before: float, value: float) -> float:
    """Thirty and two, or two alone."""
    return before + value if before >= 20 and value < 10 else value


def _english(word: str) -> float | None:
    if word[0].isdigit():
        return float(word.replace(",", ""))
    forms = (word, one := word.removesuffix("s"), one.removesuffix("ieth") + "y")
    stems = (*forms, *(one.removesuffix(end) for end in _ENDS))
    return next((_WORDS[stem] for stem in stems if stem in _WORDS), None)


@cache
def amount(number: str) -> float:
    """What a number in digits or numerals is: 15, 1.5, 三百二十, 一百万, 半."""
    if "半" in number:
        return 0.5
    if number[0].isdigit():
        digits, powers = re.match(r"[\d,.]+", number), re.findall("[百千万亿]", number)
        value = float(digits[0].replace(",", "")) if digits else 0.0
        for power in powers:
            value *= _POWERS[power]
        return value
    total = part = digit = 0
    for numeral in number:
        power = _POWERS.get(numeral, 0)
        if power >= 10**4:
            total, part, digit = (total + part + digit or 1) * power, 0, 0
        elif power:
            part, digit = part + (digit or 1) * power, 0
        else:
            digit = _DIGITS[numeral]
    return total + part + digit
