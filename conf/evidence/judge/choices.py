"""Words that a measured value chooses: a truth of two, a count of three; what a ratio is called.

``is … | is not … <.truth>``; ``is always … | is … in # of # … | is never … <.count of .total>``;
``no … | one … | # … <.count>``. A speedup is never slower, and a ratio near 1
"about as fast". Pure, as :mod:`evidence.judge.wording`, which uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from evidence.judge.band import band
from evidence.judge.claim import Check
from evidence.judge.expect import LARGEST_DIFFERENCE
from evidence.records.address import Address
from evidence.records.model import Cell, Plain, Raised, scalar
from evidence.records.units import COUNT, RATIO, Unit
from evidence.words import N_

#: Words with a negation of their own; behind any other stands "not".
NEGATIONS = {
    "can": "cannot",
    "has": "has no",
    "have": "have no",
    "all": "not all",
    "every": "not every",
    "still": "no longer",
}

_LABELLED = re.compile(r"(true|false):\s*(.+)", re.DOTALL)
#: Stands for a count in words that a count chooses.
_PLACE = "#"
_OF_TOTAL = "'… always … | … # of # … | … never … <.count of .total>'"
_PLURAL = "'no … | one … | # … <.count>'"
_DENIAL = re.compile(r"\b(?:not|no|never|nothing|none|cannot|without)\b")


class WordingError(ValueError):
    """A role whose words or addresses do not fit what was measured."""


def choice(words: Sequence[str], cells: Sequence[Cell], unit: Unit) -> str:
    """The one of several wordings that a truth, a count of a total or a count chooses.

    :param cells: the truth, the count, or the count and its total
    :param unit: of the first; a count has none
    :raises WordingError: when the wordings do not fit the values, or each other
    """
    first = cells[0]
    if not all(words):
        raise WordingError("one of the wordings is empty")
    if len(cells) == 2:
        return _often(words, *counts(cells))
    if isinstance(first, Plain) and isinstance(first.value, bool) and len(words) == 2:
        return _either(words[0], words[1], first.value)
    if isinstance(first, Plain) and type(first.value) is int and unit is COUNT:
        return _plural(words, first.value)
    raise WordingError("words are chosen by what is true or false, or by a count")


def counts(cells: Sequence[Cell]) -> tuple[int, int]:
    """A count and its total.

    :raises WordingError: when they are none
    """
    match [cell.value for cell in cells if isinstance(cell, Plain)]:
        case [int() as count, int() as most] if 0 <= count <= most:
            if not isinstance(count, bool) and not isinstance(most, bool):
                return count, most
    raise WordingError("'… of …' takes two counts, the smaller first")


def _often(words: Sequence[str], count: int, total: int) -> str:
    """What is always so, so in some tries, or never."""
    places = [text.count(_PLACE) for text in words]
    if places != [0, 2, 0]:
        raise WordingError(f"a count of a total has three wordings: write {_OF_TOTAL}")
    always, sometimes, never = words
    if _is_denial(sometimes) != _is_denial(always) or always == never:
        raise WordingError(
            f"{sometimes!r} does not count what {always!r} says: write {_OF_TOTAL}"
        )
    if total < 2:
        raise WordingError(f"in a total of {total} nothing is so always, or never")
    if 0 < count < total:
        return _filled(sometimes, count, total)
    return always if count else never


def _plural(words: Sequence[str], count: int) -> str:
    """A count with what is counted: "no step", "one step", "3 steps"."""
    if [text.count(_PLACE) for text in words] != [0, 0, 1]:
        raise WordingError(
            f"a count has three wordings: write {_PLURAL}, or of a total {_OF_TOTAL}"
        )
    none, one, many = words
    if _is_denial(one) and not _is_denial(none):
        raise WordingError(f"{none!r} is said of 0: write {_PLURAL}")
    return {0: none, 1: one}.get(count) or _filled(many, count)


def _filled(text: str, *counts: int) -> str:
    """A text with counts in their places."""
    for count in counts:
        text = text.replace(_PLACE, f"{count:,}", 1)
    return text


def _is_denial(text: str) -> bool:
    return _DENIAL.search(text) is not None


def _either(first: str, second: str, truth: bool) -> str:
    words, fits = {True: first, False: second}, is_negation(first, second)
    labelled = [_LABELLED.fullmatch(text) for text in (first, second)]
    if all(labelled):
        words = {match[1] == "true": match[2] for match in labelled if match}
        denied = {label for label in words if _is_denial(words[label])}
        fits = len(words) == 2 and denied != {True}
    if fits:
        return words[truth]
    raise WordingError(
        f"{second!r} is not {first!r} negated: write '… is … | … is not …', what is true first, "
        "or 'true: … | false: …'"
    )


def is_negation(statement: str, other: str) -> bool:
    """Whether another statement is this one with one word negated."""
    words = statement.split()
    for n, word in enumerate(words):
        negated = NEGATIONS.get(word, f"{word} not").split()
        if [*words[:n], *negated, *words[n + 1 :]] == other.split():
            return True
    return False


_CLAUSE = re.compile("[,;:.]")
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
            return word[0].strip("\0 ") if word else ""
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
