"""Whether a measured value meets an expectation.

The answer is three-valued. With the whole interval inside the band the expectation is met
(``True``), wholly outside it is not (``False``), and in between the measurement does not tell
(``None``). An end of the interval that touches a bound counts as inside for ``>=``, ``<=``,
``in``, ``about`` and ``==``, and as outside for ``>`` and ``<``.
"""

from __future__ import annotations

import operator

from evidence.judge import expect
from evidence.records.address import Address, Records, lookup, lookup_table
from evidence.records.model import Cell, Interval, Plain, Raised, Timing, row_key
from evidence.records.units import exact


def met(expectation: expect.Expectation, cell: Cell, records: Records) -> bool | None:
    """Whether a measured value meets an expectation; None when its interval straddles a bound.

    :raises ExpectationError: when value and expectation are of different kinds; the message
        begins with a verb
    """
    match expectation.form, expectation.bounds, cell:
        case "true" | "false" as expected, _, Plain(bool() as value):
            return value is (expected == "true")
        case "raises", (Plain(name), Plain(part)), Raised(raised, message):
            last = str(name).rpartition(".")[2]
            return raised.rpartition(".")[2] == last and str(part) in message
        case "==", (expect.Reference(address),), Plain(str()):
            return cell == lookup(address, records)
        case "==", (bound,), Plain(str()):
            return cell == bound
        case form, _, _ if form not in ("true", "false", "raises"):
            return _compare(expectation, interval_of(cell), records)
    raise expect.ExpectationError(f"does not fit {exact(cell)}")


def _ends(bound: expect.Bound, records: Records) -> Interval:
    if isinstance(bound, expect.Reference):
        return _scaled(interval_of(lookup(bound.address, records)), bound.factor)
    return interval_of(bound)


def _others(value: Address, records: Records) -> list[Interval]:
    """The column of a table, without the row of the value."""
    rows = lookup_table(Address(value.stem, value.top), records).rows
    others = [row for row in rows if f"[{row_key(row)}]" not in value.name]
    if not others:
        raise expect.ExpectationError("has no other row to compare with")
    return [interval_of(row[value.quantity]) for row in others]


def interval_of(cell: Cell) -> Interval:
    """The interval of a measured number; of an untimed one its two ends are the number.

    :raises ExpectationError: when the value is no number
    """
    match cell:
        case Timing():
            return cell.interval
        case Plain(int() | float() as number) if not isinstance(number, bool):
            return Interval(number, number)
    raise expect.ExpectationError(f"takes {exact(cell)} for a number")


def band(
    expectation: expect.Expectation, records: Records
) -> tuple[Interval | None, Interval | None]:
    """The lower and the upper bound, each as an interval (of a measured bound), or None."""
    match expectation.form, expectation.bounds:
        case ">=" | ">", (bound,):
            return _ends(bound, records), None
        case "<=" | "<", (bound,):
            return None, _ends(bound, records)
        case "in", (low, high):
            return _ends(low, records), _ends(high, records)
        case "about", (bound,):
            ends, part = _ends(bound, records), expectation.percent / 100
            near, far = _scaled(ends, 1 - part), _scaled(ends, 1 + part)
            return (near, far) if ends.low >= 0 else (far, near)
        case "most" | "least" as form, (Plain(name),):
            others = _others(Address.of(str(name)), records)
            best = max if form == "most" else min
            end = Interval(best(o.low for o in others), best(o.high for o in others))
            return (end, None) if form == "most" else (None, end)
    return None, None


def _scaled(ends: Interval, factor: float) -> Interval:
    low, high = sorted((ends.low * factor, ends.high * factor))
    return Interval(low, high)


def _compare(
    expectation: expect.Expectation, measured: Interval, records: Records
) -> bool | None:
    low, high = band(expectation, records)
    if expectation.form == "==":
        low = high = _ends(expectation.bounds[0], records)
    reaches = operator.gt if expectation.form in ("<", ">") else operator.ge
    is_clear = True
    for left, right in ((measured, low), (high, measured)):
        if left is None or right is None or reaches(left.low, right.high):
            continue
        if not reaches(left.high, right.low):
            return False
        is_clear = False
    return True if is_clear else None
