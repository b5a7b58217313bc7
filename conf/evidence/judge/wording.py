"""What is said of measured values, and of what they are expected to be.

Pure, and in one place: pages, their Markdown, the ledger and ``claims.json`` show the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from evidence.judge.claim import Check
from evidence.judge.expect import Bound
from evidence.records.address import ADDRESS, Address, Records, is_address, lookup
from evidence.records.model import Cell, Plain
from evidence.records.units import Unit, format_cell, format_number

#: Translates words.
Say: TypeAlias = "Callable[[str], str]"

#: Digits of a timing in prose.
DIGITS = 2
#: Words with a negation of their own; behind any other stands "not".
NEGATIONS = {
    "can": "cannot",
    "has": "has no",
    "have": "have no",
    "all": "not all",
    "every": "not every",
    "still": "no longer",
}

_CHOICE = re.compile(r"(.+?)\s*\|\s*(.+?)\s*<([^<>]+)>", re.DOTALL)
_COUNT = re.compile(rf"({ADDRESS})\s+of\s+({ADDRESS})")
_LABELLED = re.compile(r"(true|false):\s*(.+)", re.DOTALL)
_DENIAL = re.compile(r"\b(?:not|no|never|nothing|none|cannot|without)\b")
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


class WordingError(ValueError):
    """A role whose words or addresses do not fit what was measured."""


def addresses(text: str, prefix: str = "") -> tuple[Address, ...]:
    """The addresses in a role, in their order."""
    if match := _CHOICE.fullmatch(text):
        return (Address.of(match[3], prefix),)
    names = match.groups() if (match := _COUNT.fullmatch(text)) else (text,)
    return tuple(Address.of(name, prefix) for name in names)


def wording(
    text: str,
    values: Sequence[Address],
    records: Records,
    say: Say,
    before: str | None,
    after: str = "",
) -> str:
    """What a role prints: a value, words that a value chooses, or a count of a total.

    :param values: its :func:`addresses`
    :param say: translates the words of a count
    :param before: the sentence up to the role; in a table of numbers none, and all digits
    :param after: the sentence behind the role
    :raises AddressError: when nothing was measured there
    :raises WordingError: when the words do not fit the value
    """
    cell, *totals = (lookup(address, records) for address in values)
    if before is not None:
        check_sentence(text, cell)
        if word := contrary(values[0], before, after):
            raise WordingError(f"{text} is called {word!r}: write what its name says")
    if match := _CHOICE.fullmatch(text):
        return _choice(match[1], match[2], cell)
    if totals:
        count, total = values
        if count == total or count.stem != total.stem:
            raise WordingError("a total is another value of the same example")
        return _count(cell, totals[0], say)
    return format_cell(values[0].quantity, cell, 4 if before is None else DIGITS)


def _choice(first: str, second: str, cell: Cell) -> str:
    if not isinstance(cell, Plain) or not isinstance(cell.value, bool):
        raise WordingError("words are chosen by what is true or false")
    words, fits = {True: first, False: second}, is_negation(first, second)
    labelled = [_LABELLED.fullmatch(text) for text in (first, second)]
    if all(labelled):
        words = {match[1] == "true": match[2] for match in labelled if match}
        denied = {truth for truth in words if _DENIAL.search(words[truth])}
        fits = len(words) == 2 and denied != {True}
    if fits:
        return words[cell.value]
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


def _count(cell: Cell, total: Cell, say: Say) -> str:
    match cell, total:
        case Plain(int() as count), Plain(int() as most) if 0 <= count <= most:
            text = "{count} of {most}" if count else "none of the {most}"
            if count and count == most:
                text = "both" if most == 2 else "all {most}"
            return say(text).format(count=f"{count:,}", most=f"{most:,}")
    raise WordingError("'… of …' takes two counts, the smaller first")


def check_sentence(text: str, cell: Cell) -> None:
    """Refuse a bare value that stands where words belong.

    :raises WordingError: for a yes or no
    """
    if is_address(text) and isinstance(cell, Plain) and isinstance(cell.value, bool):
        raise WordingError(
            f"{text} prints a bare yes or no: write "
            f"{{measured}}`is … | is not … <{text}>`"
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


#: An expectation in words, by its form.
_WORDS = {
    "true": "yes",
    "false": "no",
    "==": "exactly {bound}",
    ">=": "at least {bound}",
    "<=": "at most {bound}",
    ">": "more than {bound}",
    "<": "less than {bound}",
    "in": "{low} to {high}",
    "about": "about {bound} ± {percent} %",
    "most": "the most",
    "least": "the least",
    "raises": "raises {type}",
}


def expected_words(check: Check, records: Records, say: Say) -> str:
    """What a check expects, in words for a reader: ``at least 3×``.

    :param records: hold the values that it compares with
    :param say: translates the words
    """
    expectation, unit = check.expectation, check.value.unit
    words = _WORDS[expectation.form]
    match expectation.form, expectation.bounds:
        case "==", (Plain(str()),):
            words = "{bound}"
        case "about", (Plain(1.0),):
            words = "no difference, within {percent} %"
    texts = [_bound_text(bound, unit, records) for bound in expectation.bounds] or [""]
    # What the words do not name is left out.
    return say(words).format(
        bound=texts[0],
        low=texts[0],
        high=texts[-1],
        type=texts[0],
        percent=f"{expectation.percent:g}",
    )


def _bound_text(bound: Bound, unit: Unit, records: Records) -> str:
    """A bound for a reader; its digits are exact."""
    match bound:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case Plain(value):
            return str(value)
    other = format_cell(bound.address.quantity, lookup(bound.address, records))
    return other if bound.factor == 1 else f"{bound.factor:g} × {other}"
