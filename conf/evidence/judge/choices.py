"""Words that a measured value chooses: a truth of two, a count of three.

``is … | is not … <.truth>``; ``is always … | is … in # of # … | is never … <.count of .total>``;
``no … | one … | # … <.count>``. Pure, as :mod:`evidence.judge.wording`, which uses it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence.judge.chinese import denies, is_chinese
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
#: In Chinese, the total often comes first: 20 次中的 7 次.
TOTAL_FIRST = re.compile(r"#[^#]*[中里内][^#]*#")
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
    if TOTAL_FIRST.search(sometimes):
        raise WordingError(f"{sometimes!r} has the total before the count")
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
    return denies(text) if is_chinese(text) else _DENIAL.search(text) is not None


def _either(first: str, second: str, truth: bool) -> str:
    words, fits = {True: first, False: second}, is_negation(first, second)
    if named := labelled((first, second)):
        words = {label == "true": text for label, text in named.items()}
        fits = not _is_denial(words[True]) or _is_denial(words[False])
    if fits:
        return words[truth]
    raise WordingError(
        f"{second!r} is not {first!r} negated: write '… is … | … is not …', what is true first, "
        "or 'true: … | false: …'"
    )


def labelled(words: Sequence[str]) -> dict[str, str]:
    """The wordings of a truth by their labels; empty unless both have one, and each its own."""
    matches = [_LABELLED.fullmatch(text) for text in words]
    found = {match[1]: match[2] for match in matches if match}
    return found if len(found) == len(matches) == 2 else {}


def is_reversed(words: Sequence[str], translated: Sequence[str]) -> bool:
    """Whether a translated choice may say the opposite: by its order, labels and denials.

    :param words: those of the text, of which a truth's need no labels
    """
    if len(words) != len(translated):
        return True
    if len(words) != 2:
        return [*map(_is_denial, words)] != [*map(_is_denial, translated)]
    ours = labelled(words) or dict(zip(("true", "false"), words, strict=True))
    theirs = labelled(translated)
    return not theirs or (
        (_is_denial(theirs["true"]) and not _is_denial(ours["true"]))
        or (_is_denial(ours["false"]) and not _is_denial(theirs["false"]))
    )


def is_negation(statement: str, other: str) -> bool:
    """Whether another statement is this one with one word negated."""
    words = statement.split()
    for n, word in enumerate(words):
        negated = NEGATIONS.get(word, f"{word} not").split()
        if [*words[:n], *negated, *words[n + 1 :]] == other.split():
            return True
    return False
