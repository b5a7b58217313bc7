"""Expectations in words for a reader."""

from __future__ import annotations

import re
from collections.abc import Callable

from evidence.judge.expect import (
    About,
    Compare,
    Expectation,
    Extreme,
    Raises,
    Reference,
    Truth,
    Within,
)
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
    "!=": "not {bound}",
}


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
        case About(Plain(1.0)):
            return "no difference, within {percent} %"
        case About():
            return "about {bound} ± {percent} %"
        case Extreme(most=most):
            return "the most" if most else "the least"


def _shown(part: object, unit: Unit, records: Records) -> str:
    """A part of an expectation for a reader; the digits of a bound are exact."""
    match part:
        case Plain(float() as number):
            text = format_number(number, unit, digits=15)
            # 1.500× is 1.5×
            return re.sub(r"\.0+(?!\d)|(?<=\.)(\d*[1-9])0+(?!\d)", r"\1", text)
        case Reference(address, factor):
            other = format_cell(address.quantity, lookup(address, records))
            return other if factor == 1 else f"{factor:g} × {other}"
        case Plain(value):
            return str(value)
        case float():
            return f"{part:g}"
    return str(part)
