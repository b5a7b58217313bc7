"""What a ratio is called: a speedup is never slower, and one near 1 is "about as fast".

Pure, as :mod:`evidence.judge.wording`, which uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from evidence.judge import chinese
from evidence.judge.band import band
from evidence.judge.claim import Check
from evidence.judge.expect import LARGEST_DIFFERENCE
from evidence.records.address import Address
from evidence.records.model import Cell, Raised, scalar
from evidence.records.units import RATIO
from evidence.words import N_

_CLAUSE = re.compile("[,;:.，；：。！？]")
#: Words beside a value, which NUL stands for, by the end of the names that they fit.
_CALLED = {
    "speedup": re.compile(
        r"\b(?:faster|quicker|sooner|shorter)\b"
        r"|\0 (?:as )?(?:fast|short|the (?:speed|rate))\b"
    ),
    "slowdown": re.compile(
        r"\b(?:slower|longer|later)\b"
        r"|\0 (?:as )?(?:slow|long|the time|much time)\b"
    ),
}
_OPPOSITES = {"speedup": "slowdown", "slowdown": "speedup"}

#: A ratio between them is none: "about as fast".
LEAST, MOST = 1 - LARGEST_DIFFERENCE / 100, 1 + LARGEST_DIFFERENCE / 100
#: The forms whose bounds are numbers that a band is made of.
_BANDS = (">=", "<=", ">", "<", "in", "about")
#: The sentence goes on behind the value: "… as fast", "… the time", "… that in FP64".
_GOES_ON = re.compile(r"\s+(?:as \w|the\b|that\b|those\b)")
#: It ends there, or the next clause begins.
_ENDS = re.compile(r"\s*(?:[.,;:)]|$|\s(?:if|when|while|with|without|in|on)\b)")
#: A verb right before the value, by the end of its name, and what it then lacks.
_LACKS = {
    "speedup": (
        re.compile(r"\b(?:is|are|was|were|runs?|ran)\s+$"),
        N_("about as fast"),
    ),
    "slowdown": (re.compile(r"\b(?:takes?|took)\s+$"), N_("about as long")),
}
#: Before the value: another one in a list with it, or a word that "about" does not follow.
_NUMBERS = re.compile(
    r"(?:\d|×|\ban?|\babout|\bonly|\bjust|\bexactly|\bnearly|\balmost|\bmost|\bleast"
    r"|\bthan)(?:,|\s+and|\s+or|\s+to)*\s*$"
)


def contrary(value: Address, before: str, after: str) -> str:
    """The word in the clause around a value that makes a speedup slower, or a slowdown faster.

    :param before: the sentence up to the value
    :param after: the sentence behind it
    """
    clause = f"{_CLAUSE.split(before)[-1]}\0{_CLAUSE.split(after)[0]}"
    for name, opposite in _OPPOSITES.items():
        if value.quantity.endswith(name) and not _CALLED[name].search(clause):
            word = _CALLED[opposite].search(clause)
            return word[0].strip("\0 ") if word else chinese.contrary(clause, name)
    return ""


def alike(value: Address, cell: Cell, checks: Iterable[Check]) -> bool:
    """Whether a ratio is checked to be 1, within a tenth, and was found so.

    :param checks: of any values; of this one all together make the band
    """
    if value.unit is not RATIO or isinstance(cell, Raised):
        return False
    own = [c.expectation for c in checks if c.value == value]
    # A band of numbers alone needs no records.
    bands = [band(e, {}) for e in own if e.form in _BANDS and not e.references]
    lows = [low.low for low, _ in bands if low]
    highs = [high.high for _, high in bands if high]
    return (
        bool(lows and highs)
        and LEAST <= max(lows) <= 1 <= min(highs) <= MOST
        and LEAST <= scalar(cell) <= MOST
    )


def about(value: Address, before: str, after: str) -> str:
    """What a ratio near 1 prints: "about" before "as fast", else "about as fast", "… as long".

    Empty where only a number fits: in a list of values, or where neither stands beside it.

    :param before: the sentence up to the value
    :param after: the sentence behind it
    """
    if _NUMBERS.search(before):
        return ""
    if _GOES_ON.match(after):
        return N_("about")
    for name, (verb, words) in _LACKS.items():
        if value.quantity.endswith(name) and verb.search(before) and _ENDS.match(after):
            return words
    return ""
