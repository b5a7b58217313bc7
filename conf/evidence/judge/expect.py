"""Expectations: the small closed grammar of what a claim may expect.

They are parsed and never evaluated.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct

from evidence.records.address import Address, is_address
from evidence.records.model import Plain
from evidence.records.units import NUMBER, RATIO, parse_quantity

GRAMMAR = """\
    == v   >= v   <= v   > v   < v
    in a..b
    about v +- p%
    most   least
    true   false
    raises Type: part of the message
where v, a, b are a number, perhaps with a unit (2 MiB, 40 GB/s, 80 %), "text", or another
measured value (stem.name), perhaps with a factor (5 * stem.name); most and least compare with
the other rows of a table; ``as documented`` behind a bound says that it is the :documented: one"""

#: Two values that differ by more than so many per cent are not alike.
LARGEST_DIFFERENCE = 10

_COMPARISON = re.compile(r"(==|>=|<=|>|<)\s*(.+)", re.DOTALL)
_RANGE = re.compile(r"in\s+(.+?)\s*\.\.\s*(.+)")
_ABOUT = re.compile(r"about\s+(.+?)\s*(?:\+-|±)\s*([\d.]+)\s*%")
_BARE = re.compile(NUMBER)
_SPELLING = re.compile(rf"(?>{NUMBER})(\s*\S.*)")
_FACTOR = re.compile(rf"({NUMBER})\s*[*×]\s*(.+)")
_RAISES = re.compile(r"raises\s+([A-Za-z_][\w.]*)\s*:\s*(.+)", re.DOTALL)


class ExpectationError(ValueError):
    """An expectation that is not in the grammar, or does not fit the value."""


class Reference(Struct, frozen=True):
    """Another measured value, by address, times a factor."""

    address: Address
    factor: float = 1.0


#: What a value is compared with: a number in base units or a text, or what was measured there.
Bound: TypeAlias = Plain | Reference


class Expectation(Struct, frozen=True):
    """What a value must be: a form of the grammar, and what stands in it.

    ``form`` is its operator, or the word with which it begins. ``bounds`` are what the value is
    compared with: of ``raises`` the type and a part of the message, of ``most`` and ``least`` the
    address of the value, whose table has the others. ``percent`` belongs to ``about``.
    """

    form: str
    bounds: tuple[Bound, ...] = ()
    percent: float = 0.0

    @property
    def references(self) -> tuple[Address, ...]:
        """The addresses of the other values that it compares with."""
        return tuple(b.address for b in self.bounds if isinstance(b, Reference))


def parse(text: str, value: Address, prefix: str = "") -> Expectation:
    """Read an expectation on a measured value.

    :param prefix: of the addresses in it that have none
    :raises ExpectationError: with the grammar in its message
    """
    text = text.strip()
    try:
        expectation = _Reader(value, prefix).read(text)
        match expectation.form, expectation.bounds:
            case ">=" | "in", (Plain(float(low)), *_) if low <= 0:
                raise ValueError("nothing measured is negative")
        return expectation
    except ValueError as error:
        raise ExpectationError(
            f"bad expectation {text!r}: {error}; write one of\n{GRAMMAR}"
        ) from None


@dataclass(frozen=True)
class _Reader:
    """Reads expectations on one value."""

    value: Address
    prefix: str

    def read(self, text: str) -> Expectation:
        if text in ("true", "false"):
            return Expectation(text)
        if text in ("most", "least"):
            if "[" not in self.value.name:
                raise ValueError("the value is in no table")
            return Expectation(text, (Plain(str(self.value)),))
        if match := _RAISES.fullmatch(text):
            return Expectation("raises", (Plain(match[1]), Plain(match[2].strip())))
        if match := _ABOUT.fullmatch(text):
            if float(match[2]) > LARGEST_DIFFERENCE:
                raise ValueError(f"more than {LARGEST_DIFFERENCE} % is a difference")
            return Expectation("about", (self._quantity(match[1]),), float(match[2]))
        if match := _RANGE.fullmatch(text):
            return Expectation("in", self._range(match[1], match[2]))
        if match := _COMPARISON.fullmatch(text):
            operator, text = match.groups()
            bound = self._bound(text) if operator == "==" else self._quantity(text)
            return Expectation(operator, (bound,))
        raise ValueError("not understood")

    def _range(self, low: str, high: str) -> tuple[Bound, Bound]:
        shared = _SPELLING.fullmatch(high)
        if shared and _BARE.fullmatch(low) and not _FACTOR.fullmatch(high):
            low += shared[1]  # in 3..4 ms: 3 ms
        first, last = self._quantity(low), self._quantity(high)
        ends = [float(b.value) for b in (first, last) if isinstance(b, Plain)]
        if ends != sorted(ends):
            raise ValueError("the range is empty")
        return first, last

    def _quantity(self, text: str) -> Bound:
        bound = self._bound(text)
        if isinstance(bound, Plain) and isinstance(bound.value, str):
            raise ValueError("text has no order")
        return bound

    def _bound(self, text: str) -> Bound:
        if text.startswith('"'):
            return Plain(json.loads(text))
        match = _FACTOR.fullmatch(text)
        factor, name = (match[1], match[2]) if match else ("1", text)
        if not is_address(name):
            return Plain(parse_quantity(text, self.value.unit))
        other = Address.of(name, self.prefix)
        if other == self.value:
            raise ValueError("the value is compared with itself")
        if other.unit != self.value.unit:
            units = f"{other.unit.name}, not {self.value.unit.name}"
            raise ValueError(f"{other} is measured in another unit ({units})")
        return Reference(other, parse_quantity(factor, RATIO))
