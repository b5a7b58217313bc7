"""What a ``measured`` role prints: a value, words that a value chooses, or a count of a total.

Pure, and in one place: pages, their Markdown, the ledger and ``claims.json`` show the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from evidence.records.address import ADDRESS, Address, Records, is_address, lookup
from evidence.records.model import Cell, Plain
from evidence.records.units import COUNT, format_cell

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
_DENIAL = re.compile(r"\b(?:not|no|never|nothing|none|cannot|without)\b")
#: Words beside a value, which NUL stands for, by what they make of it.
_FASTER = re.compile(
    r"\b(?:faster|quicker|sooner|shorter)\b|\0 (?:as )?(?:fast|short|the (?:speed|rate))\b"
)
_SLOWER = re.compile(
    r"\b(?:slower|longer|later)\b|\0 (?:as )?(?:slow|long|the time|much time)\b"
)
_CLAUSE = re.compile("[,;:.]")
_LABELLED = re.compile(r"(true|false):\s*(.+)", re.DOTALL)


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
    found: Sequence[Address],
    records: Records,
    say: Say,
    before: str | None,
    after: str = "",
) -> str:
    """What a role prints.

    :param found: its :func:`addresses`
    :param say: translates the words of a count
    :param before: the sentence up to the role; in a table of numbers none, and all digits
    :param after: the sentence behind the role
    :raises AddressError: when nothing was measured there
    :raises WordingError: when the words do not fit the value
    """
    cells = [lookup(address, records) for address in found]
    if before is not None:
        check_sentence(text, before, found[0], cells[0])
        if word := contrary(found[0], before, after):
            raise WordingError(f"{text} is called {word!r}: write what its name says")
    if match := _CHOICE.fullmatch(text):
        return _choice(match[1], match[2], cells[0])
    if len(cells) > 1:
        count, total = found
        if count == total or count.stem != total.stem:
            raise WordingError("a total is another value of the same example")
        return _count(cells[0], cells[1], say)
    digits = 4 if before is None else DIGITS
    return format_cell(found[0].quantity, cells[0], digits)


def _choice(first: str, second: str, cell: Cell) -> str:
    if not isinstance(cell, Plain) or not isinstance(cell.value, bool):
        raise WordingError("words are chosen by what is true or false")
    labelled = [_LABELLED.fullmatch(text) for text in (first, second)]
    if all(labelled):
        words = {match[1]: match[2] for match in labelled if match}
        denied = {label for label, said in words.items() if _DENIAL.search(said)}
        if words.keys() == {"true", "false"} and denied != {"true"}:
            return words["true" if cell.value else "false"]
    elif is_negation(first, second):
        return first if cell.value else second
    raise WordingError(
        f"{second!r} is not {first!r} negated: write '… is … | … is not …', what is true first, "
        "or 'true: … | false: …'"
    )


def is_negation(statement: str, other: str) -> bool:
    """Whether another statement is this one with one word negated."""
    words, denied = statement.split(), other.split()
    return any(
        [*words[:n], *NEGATIONS.get(word, f"{word} not").split(), *words[n + 1 :]]
        == denied
        for n, word in enumerate(words)
    )


def _count(cell: Cell, total: Cell, say: Say) -> str:
    match cell, total:
        case Plain(int() as count), Plain(int() as most) if 0 <= count <= most:
            text = "all {most}" if count == most else "{count} of {most}"
            text = "both" if count == most == 2 else text
            text = say(text if count else "none of the {most}")
            return text.format(count=f"{count:,}", most=f"{most:,}")
    raise WordingError("'… of …' takes two counts, the smaller first")


def check_sentence(text: str, before: str, found: Address, cell: Cell) -> None:
    """Refuse a bare value that stands where words belong.

    :param before: the sentence up to the role
    :raises WordingError: for a yes or no, and for a count behind a colon
    """
    if not is_address(text):
        return
    match cell:
        case Plain(bool()):
            raise WordingError(
                f"{text} prints a bare yes or no: write "
                f"{{measured}}`is … | is not … <{text}>`"
            )
        case Plain(int()) if found.unit is COUNT and before.rstrip().endswith(":"):
            raise WordingError(
                f"{text} is a count behind a colon: write a sentence, perhaps with "
                f"{{measured}}`{text} of stem.total`"
            )


def contrary(value: Address, before: str, after: str) -> str:
    """The word in the clause around a value that makes a speedup slower, or a slowdown faster.

    :param before: the sentence up to the value
    :param after: the sentence behind it
    """
    if value.quantity.endswith("speedup"):
        fitting, opposite = _FASTER, _SLOWER
    elif value.quantity.endswith("slowdown"):
        fitting, opposite = _SLOWER, _FASTER
    else:
        return ""
    clause = f"{_CLAUSE.split(before)[-1]}\0{_CLAUSE.split(after)[0]}"
    word = opposite.search(clause)
    return word[0].strip("\0 ") if word and not fitting.search(clause) else ""
