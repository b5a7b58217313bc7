"""Whether a measured value meets an expectation.

The answer is three-valued. With the whole interval inside the band the expectation is met
(``True``), wholly outside it is not (``False``), and in between the measurement does not tell
(``None``). An end of the interval that touches a bound counts as inside for ``>=``, ``<=``,
``in``, ``about`` and ``==``, and as outside for ``>`` and ``<``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from evidence.judge.expect import (
    About,
    Bound,
    Compare,
    Expectation,
    ExpectationError,
    Number,
    Raises,
    Reference,
    Text,
    Truth,
    Within,
)
from evidence.records.address import Address
from evidence.records.model import Cell, Interval, Plain, Raised, Timing

Lookup: TypeAlias = Callable[[Address], Cell]


def met(expectation: Expectation, cell: Cell, lookup: Lookup) -> bool | None:
    """Whether a measured value meets an expectation; None when its interval straddles a bound.

    :raises ExpectationError: when value and expectation are of different kinds
    """
    match expectation, cell:
        case Truth(value=expected), Plain(value=bool() as value):
            return value is expected
        case Raises(type=name, part=part), Raised():
            return (
                cell.type.rpartition(".")[2] == name.rpartition(".")[2]
                and part in cell.message
            )
        case Compare(operator=operator, bound=bound), Plain(value=str() as value):
            if operator not in ("==", "!="):
                raise ExpectationError(f"{str(expectation)!r}: text has no order")
            return (value == _text(bound, lookup)) is (operator == "==")
        case Compare() | Within() | About(), _:
            return _compare(expectation, interval_of(cell), lookup)
    raise ExpectationError(
        f"the expectation {str(expectation)!r} does not fit {_kind(cell)}"
    )


def _text(bound: Bound, lookup: Lookup) -> str:
    cell = lookup(bound.address) if isinstance(bound, Reference) else None
    if isinstance(cell, Plain) and isinstance(cell.value, str):
        return cell.value
    if isinstance(bound, Text):
        return bound.text
    raise ExpectationError(f"{bound} is not text")


def interval_of(cell: Cell) -> Interval:
    """The interval of a measured number; of an untimed one its two ends are the number.

    :raises ExpectationError: when the value is no number
    """
    match cell:
        case Timing():
            return cell.interval
        case Plain(value=int() | float() as number) if not isinstance(number, bool):
            return Interval(number, number)
    raise ExpectationError(f"{_kind(cell)} cannot be compared with a number")


def _kind(cell: Cell) -> str:
    match cell:
        case Plain(value=value):
            return f"the value {value!r}"
        case Raised(type=name, message=message):
            return f"the exception {name}: {message}"
        case _:
            return "a timing"


def band(
    expectation: Expectation, lookup: Lookup
) -> tuple[Interval | None, Interval | None]:
    """The lower and the upper bound, each as an interval (of a measured bound), or None."""
    match expectation:
        case Compare(operator=">=" | ">", bound=bound):
            return _ends(bound, lookup), None
        case Compare(operator="<=" | "<", bound=bound):
            return None, _ends(bound, lookup)
        case Within(low=low, high=high):
            return _ends(low, lookup), _ends(high, lookup)
        case About(bound=bound, percent=percent):
            ends, part = _ends(bound, lookup), percent / 100
            near, far = _scaled(ends, 1 - part), _scaled(ends, 1 + part)
            return (near, far) if ends.low >= 0 else (far, near)
    return None, None


def _ends(bound: Bound, lookup: Lookup) -> Interval:
    match bound:
        case Number(number=number):
            return Interval(number, number)
        case Reference(address=address):
            return interval_of(lookup(address))
    raise ExpectationError(f"{bound} is not a number")


def _scaled(ends: Interval, factor: float) -> Interval:
    low, high = sorted((ends.low * factor, ends.high * factor))
    return Interval(low, high)


def _compare(
    expectation: Expectation, measured: Interval, lookup: Lookup
) -> bool | None:
    match expectation:
        case Compare(operator="==", bound=bound):
            return _equal(measured, _ends(bound, lookup))
        case Compare(operator="!=", bound=bound):
            return _not(_equal(measured, _ends(bound, lookup)))
        case Compare(operator=">", bound=bound):
            return _not(_at_least(_ends(bound, lookup), measured))
        case Compare(operator="<", bound=bound):
            return _not(_at_least(measured, _ends(bound, lookup)))
    low, high = band(expectation, lookup)
    above = True if low is None else _at_least(measured, low)
    below = True if high is None else _at_least(high, measured)
    return _and(above, below)


def _at_least(left: Interval, right: Interval) -> bool | None:
    if left.low >= right.high:
        return True
    return False if left.high < right.low else None


def _equal(left: Interval, right: Interval) -> bool | None:
    return _and(_at_least(left, right), _at_least(right, left))


def _and(left: bool | None, right: bool | None) -> bool | None:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value
