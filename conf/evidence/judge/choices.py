"""Words that a measured value chooses: a truth of two, a count of three.

``is … | is not … <.truth>``; ``is always … | is … in # of # … | is never … <.count of .total>``;
``no … | one … | # … <.count>``. Pure, as :mod:`evidence.judge.wording`, which uses it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence.records.model import Cell, Plain
from evidence.records.units import COUNT, Unit

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
