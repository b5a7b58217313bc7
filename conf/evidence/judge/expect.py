"""Expectations: the small closed grammar of what a claim may expect, parsed and never evaluated."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from evidence.records.address import Address, is_address
from evidence.records.units import NUMBER, Unit, format_number, parse_quantity

if TYPE_CHECKING:
    from collections.abc import Callable

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
_RAISES = re.compile(r"raises\s+([A-Za-z_][\w.]*)\s*:\s*(.+)", re.DOTALL)

_WORDS = {
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
class Number:
    """A number in base units."""

    number: float

    def __str__(self) -> str:
        """The number in the grammar."""
        return f"{self.number:.12g}"


@dataclass(frozen=True)
class Text:
    """A string."""

    text: str

    def __str__(self) -> str:
        """The string in the grammar."""
        return json.dumps(self.text, ensure_ascii=False)


@dataclass(frozen=True)
class Reference:
    """Another measured value, by address."""

    address: Address

    def __str__(self) -> str:
        """The address in the grammar."""
        return str(self.address)


Bound: TypeAlias = Number | Text | Reference


@dataclass(frozen=True)
class Compare:
    """The value compared with one bound."""

    operator: str
    bound: Bound

    def __str__(self) -> str:
        """The expectation in the grammar."""
        return f"{self.operator} {self.bound}"


@dataclass(frozen=True)
class Within:
    """The value between two bounds, both included."""

    low: Bound
    high: Bound

    def __str__(self) -> str:
        """The expectation in the grammar."""
        return f"in {self.low}..{self.high}"


@dataclass(frozen=True)
class About:
    """The value within some per cent of a bound."""

    bound: Bound
    percent: float

    def __str__(self) -> str:
        """The expectation in the grammar."""
        return f"about {self.bound} +- {self.percent:g}%"


@dataclass(frozen=True)
class Truth:
    """The value is this boolean."""

    value: bool

    def __str__(self) -> str:
        """The expectation in the grammar."""
        return str(self.value).lower()


@dataclass(frozen=True)
class Raises:
    """The value is an exception of this type whose message holds this part."""

    type: str
    part: str

    def __str__(self) -> str:
        """The expectation in the grammar."""
        return f"raises {self.type}: {self.part}"


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
        return About(_ordered(_bound(match[1], unit)), float(match[2]))
    if match := _RANGE.fullmatch(text):
        low = _ordered(_bound(_with_unit(match[1], match[2]), unit))
        high = _ordered(_bound(match[2], unit))
        if (
            isinstance(low, Number)
            and isinstance(high, Number)
            and low.number > high.number
        ):
            raise ValueError("the range is empty")
        return Within(low, high)
    if match := _COMPARISON.fullmatch(text):
        bound = _bound(match[2], unit)
        return Compare(match[1], bound if match[1] in ("==", "!=") else _ordered(bound))
    raise ValueError("not understood")


def _ordered(bound: Bound) -> Bound:
    if isinstance(bound, Text):
        raise ValueError("text has no order")
    return bound


def _with_unit(low: str, high: str) -> str:
    """The low end of a range as written: ``in 3..4 ms`` means 3 ms."""
    match = re.fullmatch(rf"(?>{NUMBER})\s*(\S.*)", high.strip())
    bare = re.fullmatch(NUMBER, low.strip())
    return f"{low} {match[1]}" if match and bare else low


def _bound(text: str, unit: Unit) -> Bound:
    text = text.strip()
    if text.startswith('"'):
        value = json.loads(text)
        if not isinstance(value, str):
            raise ValueError(f"{text} is not a string")
        return Text(value)
    if is_address(text):
        return Reference(Address.of(text))
    return Number(parse_quantity(text, unit))


def references(expectation: Expectation) -> tuple[Address, ...]:
    """The addresses of the other values that an expectation compares with."""
    return tuple(b.address for b in _bounds(expectation) if isinstance(b, Reference))


def _bounds(expectation: Expectation) -> tuple[Bound, ...]:
    match expectation:
        case Compare(bound=bound) | About(bound=bound):
            return (bound,)
        case Within(low=low, high=high):
            return (low, high)
    return ()


def describe(
    expectation: Expectation,
    unit: Unit,
    value: Callable[[Address], str],
    say: Callable[[str], str],
) -> str:
    """The expectation in words for a reader: ``at least 3×``.

    :param value: gives the text of another measured value
    :param say: translates the words
    """

    def words(bound: Bound) -> str:
        return _in_words(bound, unit, value)

    match expectation:
        case Truth(value=truth):
            return say("yes" if truth else "no")
        case Raises(type=name):
            return say("raises {name}").format(name=name)
        case Compare(operator="==", bound=Text(text=text)):
            return text
        case Compare(operator=operator, bound=bound):
            return say(_WORDS[operator]).format(bound=words(bound))
        case Within(low=low, high=high):
            return say("{low} to {high}").format(low=words(low), high=words(high))
        case About(bound=bound, percent=percent):
            text = say("about {bound} ± {percent} %")
            return text.format(bound=words(bound), percent=f"{percent:g}")


def _in_words(bound: Bound, unit: Unit, value: Callable[[Address], str]) -> str:
    match bound:
        case Number(number=number):
            whole = number.is_integer() and abs(number) < 1e15
            text = format_number(int(number) if whole else number, unit)
            # A bound is exact: 1.500× is 1.5×.
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case Text(text=text):
            return text
        case Reference(address=address):
            return value(address)
