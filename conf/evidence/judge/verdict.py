"""Verdicts: a claim judged by the records."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from evidence.judge import band, expect
from evidence.judge.claim import Claim, ClaimError
from evidence.judge.scope import in_scope
from evidence.records.model import Cell, Interval, Plain, Table, Timing
from evidence.records.units import unit_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from evidence.records.model import Record

#: A bound stands this factor off the near end of the interval, for other machines of a kind.
MARGIN = 1.25
#: The factor where the interval is narrower than ``NARROW`` of the value.
MARGIN_NARROW = 1.05
NARROW = 0.02
#: A bound further from the value than this factor says little.
WEAK = 2.0

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class Verdict(Enum):
    """What the build says of a claim."""

    HOLDS = "holds"
    DIVERGED = "diverged"
    NOISY = "noisy"
    STALE = "stale"
    MISSING = "missing"
    OUT_OF_SCOPE = "out of scope"


@dataclass(frozen=True)
class Judgement:
    """A claim, what was measured for it, and the verdict.

    ``margin`` is ``tight``, ``weak`` or empty, see :data:`MARGIN` and :data:`WEAK`. ``cell`` and
    ``record`` are None where there is no record.
    """

    claim: Claim
    verdict: Verdict
    cell: Cell | None = None
    record: Record | None = None
    margin: str = ""


def judge(
    claim: Claim, records: Mapping[str, Record], stale: Collection[str] = ()
) -> Judgement:
    """Judge one claim.

    :param records: the usable records, by stem
    :param stale: stems whose code changed since their record
    :raises ClaimError: when the claim's value is in no record that exists
    :raises ~evidence.judge.expect.ExpectationError: when the expectation is not in the grammar or
        does not fit the value
    :raises ~evidence.judge.scope.ScopeError: when the scope is not in the grammar
    """
    expectation = expect.parse(claim.expect, unit_of(claim.name))
    record = records.get(claim.stem)
    others = {address.partition(".")[0] for address in expect.references(expectation)}
    if record is None or not others <= set(records):
        return Judgement(claim, Verdict.MISSING)
    cell = lookup(claim.value, records)
    if not in_scope(claim.scope, record.builder):
        return Judgement(claim, Verdict.OUT_OF_SCOPE, cell, record)
    outcome = band.met(expectation, cell, lambda address: lookup(address, records))
    if claim.stem in stale or others & set(stale):
        return Judgement(claim, Verdict.STALE, cell, record)
    verdict = {True: Verdict.HOLDS, False: Verdict.DIVERGED, None: Verdict.NOISY}[
        outcome
    ]
    margin = ""
    if verdict is Verdict.HOLDS and not _is_documented(claim):
        margin = _margin(expectation, cell, records)
    return Judgement(claim, verdict, cell, record, margin)


def lookup(address: str, records: Mapping[str, Record]) -> Cell:
    """The measured value at an address.

    :raises ClaimError: when there is none, with the addresses that come near
    """
    stem, _, name = address.partition(".")
    if stem in records:
        cells = records[stem].cells
        if name in cells:
            return cells[name]
        known = [f"{stem}.{leaf}" for leaf in cells]
    else:
        known = list(records)
        address = stem
    raise ClaimError(f"nothing was measured as {address!r}{_hint(address, known)}")


def lookup_table(address: str, records: Mapping[str, Record]) -> Table:
    """The sweep that was measured at an address.

    :raises ClaimError: when there is none, with the sweeps that come near
    """
    known = {
        f"{other}.{measured}": value
        for other, record in records.items()
        for measured, value in record.measured.items()
        if isinstance(value, Table)
    }
    if address in known:
        return known[address]
    raise ClaimError(f"no table was measured as {address!r}{_hint(address, known)}")


def _hint(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _margin(
    expectation: expect.Expectation, cell: Cell, records: Mapping[str, Record]
) -> str:
    """How far the bounds stand off: ``tight`` when too near, ``weak`` when too far, else empty."""
    if not _has_order(cell):
        return ""
    ends = band.interval_of(cell)
    value = cell.value if isinstance(cell, Timing) else ends.low
    low, high = band.band(expectation, lambda address: lookup(address, records))
    needed = MARGIN_NARROW if ends.width < NARROW * abs(value) else MARGIN
    if min(_ratios(ends, low, high), default=needed) < needed:
        return "tight"
    if min(_ratios(Interval(value, value), low, high), default=1.0) > WEAK:
        return "weak"
    return ""


def _is_documented(claim: Claim) -> bool:
    """Whether the bound is the number that the documentation gives, and so cannot be moved."""
    return bool(
        set(_NUMBER.findall(claim.expect)) & set(_NUMBER.findall(claim.documented))
    )


def _has_order(cell: Cell) -> bool:
    match cell:
        case Plain(value=bool()):
            return False
        case Timing() | Plain(value=int() | float()):
            return True
    return False


def _ratios(ends: Interval, low: Interval | None, high: Interval | None) -> list[float]:
    """Distances from the ends to their bounds, as factors; none where a sign makes them moot."""
    ratios = []
    if low is not None and low.high > 0:
        ratios.append(ends.low / low.high)
    if high is not None and ends.high > 0 and high.low > 0:
        ratios.append(high.low / ends.high)
    return ratios
