"""Words that a measured value chooses: ``is … | is not … <.truth>``.

What a count says is no choice: the sentence is a rule, and its evidence has the count. Pure, as
:mod:`evidence.judge.wording`, which uses it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence.records.model import Cell, Plain

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
_DENIAL = re.compile(r"\b(?:not|no|never|nothing|none|cannot|without)\b")


class WordingError(ValueError):
    """A role whose words or addresses do not fit what was measured."""


def choice(words: Sequence[str], cells: Sequence[Cell]) -> str:
    """The one of two wordings that a truth chooses.

    :raises WordingError: when it is none, or the wordings do not fit each other
    """
    match cells, words:
        case [Plain(bool() as truth)], [first, second] if first and second:
            return _either(first, second, truth)
    raise WordingError("a truth chooses between two wordings: '… is … | … is not …'")


def counts(cells: Sequence[Cell]) -> tuple[int, int]:
    """A count and its total.

    :raises WordingError: when they are none
    """
    match [cell.value for cell in cells if isinstance(cell, Plain)]:
        case [int() as count, int() as most] if 0 <= count <= most:
            if not isinstance(count, bool) and not isinstance(most, bool):
                return count, most
    raise WordingError("'… of …' takes two counts, the smaller first")


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
