"""What a typed number is: digits or words with a unit, which nothing compares with a record."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

#: What only the build writes, and what looks like it.
FORGED_MARK = re.compile("[✓✔☑✅✗✘☒❌]")
#: In a text they stand for a measured value, and for code: neither is typed prose.
VALUE, CODE = "\0", "\1"

_UNIT = (
    r"(?:[%٪]|[nmµμu]s|[kKMGTP]i?B(?:/s)?|\w*bytes?|[kMG]?Hz|[MGTP]?FLOP(?:S|/s)|per ?cent"
    r"|\w*seconds?|minutes?|hours?|watts?)"
)
_TIMES = r"[×xх✕✖⨯╳]"
_WORD = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|dozen|hundred|thousand|million)"
)
_PART = (
    r"(?:third|fifth|sixth|seventh|eighth|ninth|tenth|twentieth|hundredth|thousandth)s?"
)
_RESULT = (
    r"(?:[Ss](?:peedup|lowdown)|[Rr]at(?:io|e)|[Ee]rror|[Gg]ain|\w+width|\w+put)s?"
)
#: A number and its unit, or total; 10 × 10 is a shape, and 16-bit a name.
IN_DIGITS = (
    rf"(?<![\w.])\d[\d.,]*(?:[\s-]*(?:{_UNIT}|{_TIMES}(?!\s*[\d{VALUE}{CODE}])|times|fold)"
    rf"|[\s-]+[sW])(?!\w)|(?<![\w.])\d+ of (?!100\b)\d+|\d [mb]illion"
    rf"|\b[Aa]ll \d+|[Ff]actor of \d+(?!\.?\d)|\b{_RESULT} of \d|\d+ out of"
)
_MORE = (
    r"(?:more|less|larger|bigger|(?:fast|slow|long|short|small|high|low|few|cheap)er)"
)
_WHOLE = r"the (?:time|speed|memory|rate)"
#: In words, in small letters, it is one before a unit, or in a comparison: what is pinned three
#: times is counted, and what takes twice as long is often what a script was given; so is what takes
#: more than a third of the time, and rows begin at a multiple of sixteen bytes.
_IN_WORDS = re.compile(
    rf"\b(?:(?<!multiple of ){_WORD}[- ]{_UNIT.lower()}|{_WORD}-?fold|{_WORD} out of"
    rf"|(?:twice|half|{_WORD}[- ]times) (?:as (?!many|long|often)\w+|{_WHOLE}|{_MORE})"
    rf"|(?<!than )(?:a|one|two|three) {_PART} of {_WHOLE}|factor of {_WORD}"
    rf"|(?:an|one|{_WORD}) orders? of magnitude|(?:tripl|quadrupl)(?:es?|ed|ing))\b"
)
#: A measured value becomes another one by what is typed on to it.
_ON_TO_VALUE = rf"\d{VALUE}|{VALUE}\d|{VALUE}\)?\s*(?:per\b|squared\b|cubed\b|/)"
_IN_CODE = re.compile(IN_DIGITS)
_IN_TEXT = re.compile(f"{IN_DIGITS}|{_ON_TO_VALUE}")

#: Letters and symbols that take room, and show nothing.
_BLANK = "\u115f\u1160\u3164\uffa0\u2800"


def first(text: str, *, in_code: bool = False) -> str:
    """The first quantity that is typed in a text, as it is written there; empty without one."""
    usual = written(text)
    if in_code:
        match = _IN_CODE.search(usual)
    else:
        # Small letters, once: a pattern that ignores their size takes four times as long.
        match = _IN_TEXT.search(usual) or _IN_WORDS.search(usual.lower())
    return text[slice(*match.span())].replace(VALUE, "…").strip() if match else ""


def written(text: str) -> str:
    """A text in usual characters, as many: 6 for ６, ⁶ and ⑥."""
    return text if text.isascii() else "".join(map(_usual, text))


@cache
def _usual(character: str) -> str:
    """A character as it is usually written: ², ① and １ are digits."""
    if unicodedata.category(character)[0] == "N":
        return str(unicodedata.digit(character, 1))
    usual = unicodedata.normalize("NFKC", character)
    return usual if len(usual) == 1 else character


def invisible(text: str) -> str:
    """The first character that nobody sees, or that changes how its neighbours are read."""
    if text.isascii():
        return ""
    return next(filter(_is_invisible, text), "")


@cache
def _is_invisible(character: str) -> bool:
    """Controls, formats, what is unassigned or private, and marks on what stands before."""
    hidden = unicodedata.category(character)[0] in "CM" or character in _BLANK
    return hidden and character not in ("\n", "\t", VALUE, CODE)
