"""Verdicts: a claim judged by the records."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum

from evidence.judge import band
from evidence.judge.claim import Claim
from evidence.judge.expect import ExpectationError
from evidence.records.address import AddressError, Records, lookup
from evidence.records.model import Cell, Interval, Record, scalar

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


def judge(claim: Claim, records: Records, stale: Collection[str] = ()) -> Judgement:
    """Judge one claim.

    :param records: the usable records, by stem
    :param stale: stems whose code changed since their record
    :raises AddressError: when one of its values is in no record that exists
    :raises ExpectationError: when the expectation does not fit the value
    """
    if not claim.stems <= records.keys():
        return Judgement(claim, Verdict.MISSING)
    record, cell = records[claim.value.stem], lookup(claim.value, records)
    if not claim.scope.holds_on(record.builder):
        return Judgement(claim, Verdict.OUT_OF_SCOPE, cell, record)
    verdict = _verdict(claim, cell, records)
    if not claim.stems.isdisjoint(stale):
        return Judgement(claim, Verdict.STALE, cell, record)
    margin = _margin(claim, cell, records) if verdict is Verdict.HOLDS else ""
    return Judgement(claim, verdict, cell, record, margin)


def _verdict(claim: Claim, cell: Cell, records: Records) -> Verdict:
    try:
        met = band.met(claim.expectation, cell, records)
    except ExpectationError as error:
        raise ExpectationError(f"the expectation {claim.expect!r} {error}") from None
    return {True: Verdict.HOLDS, False: Verdict.DIVERGED, None: Verdict.NOISY}[met]


def judge_all(
    claims: Iterable[Claim], records: Records, stale: Collection[str] = ()
) -> tuple[list[Judgement], list[tuple[Claim, str]]]:
    """Judge every claim; those that cannot be judged come back with the reason."""
    judgements, errors = [], []
    for claim in claims:
        try:
            judgements.append(judge(claim, records, stale))
        except (AddressError, ExpectationError) as error:
            errors.append((claim, f"claim {claim.id!r}: {error}"))
    return judgements, errors


def _margin(claim: Claim, cell: Cell, records: Records) -> str:
    """How far the bounds stand off: ``tight`` when too near, ``weak`` when too far, else empty."""
    low, high = band.band(claim.expectation, records)
    if (low, high) == (None, None) or _is_documented(claim):
        return ""
    ends = band.interval_of(cell)
    value = scalar(cell)
    needed = MARGIN_NARROW if ends.width < NARROW * abs(value) else MARGIN
    if min(_ratios(ends, low, high), default=needed) < needed:
        return "tight"
    if min(_ratios(Interval(value, value), low, high), default=1.0) > WEAK:
        return "weak"
    return ""


def _is_documented(claim: Claim) -> bool:
    """Whether the bound is the number that the documentation gives, and so cannot be moved."""
    texts = (claim.expect, claim.documented)
    expected, documented = (set(_NUMBER.findall(text)) for text in texts)
    return bool(expected & documented)


def _ratios(ends: Interval, low: Interval | None, high: Interval | None) -> list[float]:
    """Distances from the ends to their bounds, as factors; none where a sign makes them moot."""
    ratios = []
    if low is not None and low.high > 0:
        ratios.append(ends.low / low.high)
    if high is not None and ends.high > 0:
        ratios.append(high.low / ends.high)
    return ratios
