"""What is said of measured values, and of what they are expected to be.

Pure, and in one place: pages, their Markdown, the ledger and ``claims.json`` show the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from evidence.judge.choices import WordingError, choice, counts
from evidence.judge.claim import Check
from evidence.judge.expect import Bound
from evidence.judge.ratios import about, alike, contrary
from evidence.records.address import ADDRESS, Address, Records, is_address, lookup
from evidence.records.model import Cell, Plain
from evidence.records.units import Unit, format_cell, format_number, listed
from evidence.words import N_, Say

#: Digits of a timing in prose.
DIGITS = 2

_CHOICE = re.compile(r"(.+?\|.+?)\s*<([^<>]+)>", re.DOTALL)
_COUNT = re.compile(rf"({ADDRESS})\s+of\s+({ADDRESS})")


def addresses(text: str, prefix: str = "") -> tuple[Address, ...]:
    """The addresses in a role, in their order."""
    text = match[2] if (match := _CHOICE.fullmatch(text)) else text
    match = _COUNT.fullmatch(text.strip())
    names = match.groups() if match else (text,)
    return tuple(Address.of(name, prefix) for name in names)


def wordings(text: str) -> tuple[str, ...]:
    """The words in a role of which a value chooses; none in another role."""
    match = _CHOICE.fullmatch(text)
    return tuple(part.strip() for part in match[1].split("|")) if match else ()


def wording(
    text: str,
    values: Sequence[Address],
    records: Records,
    say: Say,
    before: str | None,
    after: str = "",
    checks: Iterable[Check] = (),
) -> str:
    """What a role prints: a value, words that a value chooses, or a count of a total.

    :param values: its :func:`addresses`
    :param say: translates the words of a count
    :param before: the sentence up to the role; in a table of numbers none, and all digits
    :param after: the sentence behind the role
    :param checks: what is expected of the values on the page
    :raises AddressError: when nothing was measured there
    :raises WordingError: when the words do not fit the value
    """
    cells = [lookup(address, records) for address in values]
    value, cell = values[0], cells[0]
    if before is not None:
        check_sentence(text, cell)
        if word := contrary(value, before, after):
            raise WordingError(f"{text} is called {word!r}: write what its name says")
    if len(values) == 2 and (value == values[1] or value.stem != values[1].stem):
        raise WordingError("a total is another value of the same example")
    if words := wordings(text):
        return choice(words, cells, value.unit)
    if len(values) == 2:
        return _count(*counts(cells), say)
    if before is None:
        return format_cell(value.quantity, cell, say=say)
    if alike(value, cell, checks) and (words_of_it := about(value, before, after)):
        return say(words_of_it)
    return _series(cell, say) or format_cell(value.quantity, cell, DIGITS, say=say)


def _series(cell: Cell, say: Say) -> str:
    """A list as a sentence has it, one item where all are the same; empty for what is none."""
    items = listed(cell.value) if isinstance(cell, Plain) else []
    if len(set(items)) < 2:
        return "".join(items[:1])
    first = say(", ").join(items[:-1])
    return say("{items} and {last}").format(items=first, last=items[-1])


def _count(count: int, most: int, say: Say) -> str:
    text = N_("{count} of {most}") if count else N_("none of the {most}")
    if count and count == most:
        text = N_("both") if most == 2 else N_("all {most}")
    return say(text).format(count=f"{count:,}", most=f"{most:,}")


def check_sentence(text: str, cell: Cell) -> None:
    """Refuse a bare value that stands where words belong.

    :raises WordingError: for a yes or no
    """
    if is_address(text) and isinstance(cell, Plain) and isinstance(cell.value, bool):
        raise WordingError(
            f"{text} prints a bare yes or no: write "
            f"{{measured}}`is … | is not … <{text}>`"
        )


#: An expectation in words, by its form.
_WORDS = {
    "true": N_("yes"),
    "false": N_("no"),
    "==": N_("exactly {bound}"),
    ">=": N_("at least {bound}"),
    "<=": N_("at most {bound}"),
    ">": N_("more than {bound}"),
    "<": N_("less than {bound}"),
    "in": N_("{low} to {high}"),
    "about": N_("about {bound} ± {percent} %"),
    "most": N_("the most"),
    "least": N_("the least"),
    "raises": N_("raises {type}"),
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
            words = N_("no difference, within {percent} %")
    bounds = expectation.bounds
    texts = [_bound_text(bound, unit, records, say) for bound in bounds] or [""]
    # What the words do not name is left out.
    return say(words).format(
        bound=texts[0],
        low=texts[0],
        high=texts[-1],
        type=texts[0],
        percent=f"{expectation.percent:g}",
    )


def _bound_text(bound: Bound, unit: Unit, records: Records, say: Say) -> str:
    """A bound for a reader; its digits are exact."""
    match bound:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case Plain(value):
            return say(", ").join(listed(value)) or str(value)
    cell = lookup(bound.address, records)
    other = format_cell(bound.address.quantity, cell, say=say)
    return other if bound.factor == 1 else f"{bound.factor:g} × {other}"
