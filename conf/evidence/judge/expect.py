"""Expectations: the small closed grammar of what a claim may expect, parsed and never evaluated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from evidence.records.address import Address, Records, is_address, lookup
from evidence.records.model import Plain
from evidence.records.units import (
    NUMBER,
    Unit,
    format_cell,
    format_number,
    parse_quantity,
)

GRAMMAR = """\
    == v   != v   >= v   <= v   > v   < v
    in a..b
    about v +- p%
    true   false
    raises Type: part of the message
where v, a, b are a number, perhaps with a unit (2 MiB, 40 GB/s, 80 %), "text", or another
measured value (stem.name)"""

_COMPARISON = re.compile(r"(==|!=|>=|<=|>|<)\s*(.+)", re.DOTALL)
_RANGE = re.compile(r"in\s+(.+?)\s*\.\.\s*(.+)")
_ABOUT = re.compile(r"about\s+(.+?)\s*(?:\+-|±)\s*([\d.]+)\s*%")
_BARE = re.compile(NUMBER)
_SPELLING = re.compile(rf"(?>{NUMBER})(\s*\S.*)")
_RAISES = re.compile(r"raises\s+([A-Za-z_][\w.]*)\s*:\s*(.+)", re.DOTALL)

#: A comparison in words, by its operator.
_COMPARISONS = {
    "==": "exactly {bound}",
    ">=": "at least {bound}",
    "<=": "at most {bound}",
    ">": "more than {bound}",
    "<": "less than {bound}",
    "!=": "not {bound}",
}


class ExpectationError(ValueError):
    """An expectation that is not in the grammar, or does not fit the value."""


@dataclass(frozen=True)
class Reference:
    """Another measured value, by address."""

    address: Address


#: What a value is compared with: a number in base units or a text, or what was measured there.
Bound: TypeAlias = Plain | Reference


@dataclass(frozen=True)
class Compare:
    """The value compared with one bound."""

    operator: str
    bound: Bound


@dataclass(frozen=True)
class Within:
    """The value between two bounds, both included."""

    low: Bound
    high: Bound


@dataclass(frozen=True)
class About:
    """The value within some per cent of a bound."""

    bound: Bound
    percent: float


@dataclass(frozen=True)
class Truth:
    """The value is this boolean."""

    value: bool


@dataclass(frozen=True)
class Raises:
    """The value is an exception of this type whose message holds this part."""

    type: str
    part: str


Expectation: TypeAlias = Compare | Within | About | Truth | Raises


def parse(text: str, unit: Unit) -> Expectation:
    """Read an expectation on a value of this unit.

    :raises ExpectationError: with the grammar in its message
    """
    text = text.strip()
    try:
        return _parse(text, unit)
    except ValueError as error:
        raise ExpectationError(
            f"bad expectation {text!r}: {error}; write one of\n{GRAMMAR}"
        ) from None


def _parse(text: str, unit: Unit) -> Expectation:
    if text in ("true", "false"):
        return Truth(text == "true")
    if match := _RAISES.fullmatch(text):
        return Raises(match[1], match[2].strip())
    if match := _ABOUT.fullmatch(text):
        return About(_quantity(match[1], unit), float(match[2]))
    if match := _RANGE.fullmatch(text):
        return _range(match[1], match[2], unit)
    if match := _COMPARISON.fullmatch(text):
        operator, bound = match.groups()
        read = _bound if operator in ("==", "!=") else _quantity
        return Compare(operator, read(bound, unit))
    raise ValueError("not understood")


def _range(low: str, high: str, unit: Unit) -> Within:
    shared = _SPELLING.fullmatch(high)
    if shared and _BARE.fullmatch(low):
        low += shared[1]  # in 3..4 ms: 3 ms
    ends = Within(_quantity(low, unit), _quantity(high, unit))
    match ends:
        case Within(Plain(float() as first), Plain(float() as last)) if first > last:
            raise ValueError("the range is empty")
    return ends


def _quantity(text: str, unit: Unit) -> Bound:
    bound = _bound(text, unit)
    if isinstance(bound, Plain) and isinstance(bound.value, str):
        raise ValueError("text has no order")
    return bound


def _bound(text: str, unit: Unit) -> Bound:
    if text.startswith('"'):
        return Plain(json.loads(text))
    if is_address(text):
        return Reference(Address.of(text))
    return Plain(parse_quantity(text, unit))


def references(expectation: Expectation) -> tuple[Address, ...]:
    """The addresses of the other values that an expectation compares with."""
    parts = vars(expectation).values()
    return tuple(part.address for part in parts if isinstance(part, Reference))


def in_words(
    expectation: Expectation, unit: Unit, records: Records, say: Callable[[str], str]
) -> str:
    """The expectation in words for a reader: ``at least 3×``.

    :param records: hold the values that it compares with
    :param say: translates the words
    """
    parts = vars(expectation).items()
    shown = {name: _shown(part, unit, records) for name, part in parts}
    return say(_template(expectation)).format(**shown)


def _template(expectation: Expectation) -> str:
    match expectation:
        case Truth(value):
            return "yes" if value else "no"
        case Raises():
            return "raises {type}"
        case Compare("==", Plain(str())):
            return "{bound}"
        case Compare(operator):
            return _COMPARISONS[operator]
        case Within():
            return "{low} to {high}"
        case About():
            return "about {bound} ± {percent} %"


def _shown(part: object, unit: Unit, records: Records) -> str:
    """A part of an expectation for a reader; the digits of a bound are exact."""
    match part:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case Reference(address):
            return format_cell(address.quantity, lookup(address, records))
        case Plain(value):
            return str(value)
        case float():
            return f"{part:g}"
    return str(part)
