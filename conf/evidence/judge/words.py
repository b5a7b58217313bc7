"""Expectations in words for a reader."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import asdict

from evidence.judge import expect
from evidence.judge.claim import Check
from evidence.records.address import Records, lookup
from evidence.records.model import Plain
from evidence.records.units import Unit, format_cell, format_number

#: A comparison in words, by its operator.
_COMPARISONS = {
    "==": "exactly {bound}",
    ">=": "at least {bound}",
    "<=": "at most {bound}",
    ">": "more than {bound}",
    "<": "less than {bound}",
}


def expected_words(check: Check, records: Records, say: Callable[[str], str]) -> str:
    """What a check expects, in words for a reader: ``at least 3×``.

    :param records: hold the values that it compares with
    :param say: translates the words
    """
    parts = asdict(check.expectation).items()
    shown = {name: _shown(part, check.value.unit, records) for name, part in parts}
    return say(_template(check.expectation)).format(**shown)


def _template(expectation: expect.Expectation) -> str:
    match expectation:
        case expect.Truth(value):
            return "yes" if value else "no"
        case expect.Raises():
            return "raises {type}"
        case expect.Compare("==", Plain(str())):
            return "{bound}"
        case expect.Compare(operator):
            return _COMPARISONS[operator]
        case expect.Within():
            return "{low} to {high}"
        case expect.About(Plain(1.0)):
            return "no difference, within {percent} %"
        case expect.About():
            return "about {bound} ± {percent} %"
        case expect.Extreme(most=most):
            return "the most" if most else "the least"


def _shown(part: object, unit: Unit, records: Records) -> str:
    """A part of an expectation for a reader; the digits of a bound are exact."""
    match part:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case expect.Reference(address, factor):
            other = format_cell(address.quantity, lookup(address, records))
            return other if factor == 1 else f"{factor:g} × {other}"
        case Plain(value):
            return str(value)
        case float():
            return f"{part:g}"
    return str(part)
