"""Verdicts: a claim judged by the records, and that as plain data."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Any

from msgspec import to_builtins

from evidence.judge import band
from evidence.judge.claim import LISTS, Check, Claim
from evidence.judge.expect import ExpectationError
from evidence.records import model
from evidence.records.address import AddressError, Records, lookup
from evidence.records.model import Cell, Interval, Record, scalar
from evidence.records.store import canonical, checksum, rounded
from evidence.records.units import THIN_SPACE, format_cell, unit_of
from evidence.words import N_

#: A bound stands this factor off the near end of the interval, for other machines of a kind.
MARGIN = 1.25
#: The factor where the interval is narrower than ``NARROW`` of the value.
MARGIN_NARROW = 1.05
NARROW = 0.02
#: A bound further from the value than this factor says little.
WEAK = 2.0
#: A bound of this, a tenth, is near enough to a measured nothing.
LITTLE = 0.1
_MARGINS = ("tight", "weak", "")


class Verdict(Enum):
    """What the build says of a claim, the worst first: that is what counts of several."""

    MISSING = N_("missing")
    DIVERGED = N_("diverged")
    NOISY = N_("noisy")
    STALE = N_("stale")
    OUT_OF_SCOPE = N_("out of scope")
    HOLDS = N_("holds")


@dataclass(frozen=True)
class Finding:
    """One check of a claim, what was measured for it, and the verdict.

    ``margin`` is ``tight``, ``weak`` or empty, see :data:`MARGIN` and :data:`WEAK`; ``factor`` is
    how many times the near end of the interval stands off its bound, and ``room`` how many times
    a value amid two bounds stands off both. ``cell`` is None where there is no record.
    """

    check: Check
    verdict: Verdict
    cell: Cell | None = None
    margin: str = ""
    factor: float = math.inf
    room: float = math.inf


@dataclass(frozen=True)
class Judgement:
    """A claim, and what was found for each of its checks; ``record`` is that of the first.

    ``problem`` says why it fits nothing that was measured.
    """

    claim: Claim
    findings: tuple[Finding, ...]
    record: Record | None = None
    problem: str = ""

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of its checks."""
        return min((finding.verdict for finding in self.findings), key=[*Verdict].index)

    @property
    def margin(self) -> str:
        """``tight`` or ``weak``, where a check is; else empty."""
        return min((finding.margin for finding in self.findings), key=_MARGINS.index)

    @property
    def factor(self) -> float:
        """How far its nearest bound stands off; infinite where none has an order."""
        return min(finding.factor for finding in self.findings)


def unjudged(claim: Claim, verdict: Verdict) -> Judgement:
    """A claim of which nothing was measured, or nothing counts."""
    return Judgement(claim, tuple(Finding(check, verdict) for check in claim.checks))


def judge(claim: Claim, records: Records, stale: Collection[str] = ()) -> Judgement:
    """Judge one claim.

    :param records: the usable records, by stem
    :param stale: stems whose code changed since their record
    :raises AddressError: when one of its values is in no record that exists
    :raises ExpectationError: when an expectation does not fit its value
    """
    if not claim.stems <= records.keys():
        return unjudged(claim, Verdict.MISSING)
    findings = (_finding(check, claim, records, stale) for check in claim.checks)
    return Judgement(claim, tuple(findings), records[claim.stem])


def _finding(
    check: Check, claim: Claim, records: Records, stale: Collection[str]
) -> Finding:
    cell = lookup(check.value, records)
    if not claim.scope.holds_on(records[check.value.stem].builder):
        return Finding(check, Verdict.OUT_OF_SCOPE, cell)
    try:
        met = band.met(check.expectation, cell, records)
    except ExpectationError as error:
        raise ExpectationError(f"the expectation {check.expect!r} {error}") from None
    if not claim.stems.isdisjoint(stale):
        return Finding(check, Verdict.STALE, cell)
    if met:
        return Finding(check, Verdict.HOLDS, cell, *_margin(check, cell, records))
    return Finding(check, Verdict.NOISY if met is None else Verdict.DIVERGED, cell)


def judge_all(
    claims: Iterable[Claim], records: Records, stale: Collection[str] = ()
) -> Iterator[Judgement]:
    """Judge every claim; what cannot be judged is missing, and has a problem."""
    for claim in claims:
        try:
            yield judge(claim, records, stale)
        except (AddressError, ExpectationError) as error:
            missing = unjudged(claim, Verdict.MISSING)
            problem = f"claim {claim.id!r}: {error}"
            yield replace(missing, record=records[claim.stem], problem=problem)


def _margin(check: Check, cell: Cell, records: Records) -> tuple[str, float, float]:
    """How far the bounds stand off: ``tight`` when too near, ``weak`` when too far, else empty.

    Beside it the factor by which the nearest does, and that of a value amid both.
    """
    low, high = band.band(check.expectation, records)
    if low is None and high is None:
        return "", math.inf, math.inf
    room = math.inf
    if low and high and low.high > 0 and high.low > 0:
        room = math.sqrt(high.low / low.high)
    interval, value = band.interval_of(cell), scalar(cell)
    nearest = min(_distances(interval, low, high))
    # About: the sentence says that the two are alike, and its band cannot be wider.
    if check.documented or check.expectation.form == "about":
        return "", nearest, room
    is_narrow = interval.width < NARROW * abs(value)
    if nearest < (MARGIN_NARROW if is_narrow else MARGIN):
        return "tight", nearest, room
    farthest = max(_distances(Interval(value, value), low, high))
    return "weak" if farthest > WEAK else "", nearest, room


def _distances(
    measured: Interval, low: Interval | None, high: Interval | None
) -> Iterator[float]:
    """By which factor each bound stands off the end that is near it."""
    if low is not None:
        # From 0 everything is infinitely far.
        yield measured.low / low.high if low.high > 0 else math.inf
    if high is not None and measured.high > 0:
        yield high.low / measured.high
    elif high is not None:
        # Nothing was measured, which has no factor: up to a tenth is near enough for "nothing",
        # and counts as the farthest that is not weak; all above is too far.
        yield WEAK if high.low <= LITTLE else math.inf


@cache
def builder_id(builder: model.Builder) -> str:
    """A name for a builder: its GPU, and a hash over all that is known of it."""
    fields = to_builtins(builder)
    for newer in ("share", "packed"):  # as the names of older records were made
        if not fields[newer]:
            del fields[newer]
    digest = checksum(canonical(fields).encode())
    slug = re.sub(r"[^a-z0-9]+", "-", (builder.gpu or "cpu").lower()).strip("-")
    return f"{slug}-{digest[:8]}"


def measured_data(name: str, cell: Cell) -> dict[str, Any]:
    """A measured value as data: number, interval, number of processes, unit, and its text."""
    match cell:
        case model.Timing(median=medians):
            ends = [cell.interval.low, cell.interval.high]
            fields = {"value": rounded(cell.value), "interval": ends, "n": len(medians)}
        case model.Plain(value=value):
            fields = {"value": value}
        case model.Raised(type=kind, message=message):
            fields = {"raised": kind, "message": message}
    text = format_cell(name, cell).replace(THIN_SPACE, "\u00a0")
    return {**fields, "unit": unit_of(name).name, "text": text}


def claim_data(judgement: Judgement) -> dict[str, Any]:
    """One claim with its verdict, as it stands in ``claims.json``."""
    claim, record = judgement.claim, judgement.record
    return {
        "id": claim.id,
        "page": claim.page,
        "anchor": f"{claim.page}.html#{claim.id}",
        "checks": [finding_data(finding) for finding in judgement.findings],
        "documented": claim.documented,
        "scope": claim.scope.text,
        "control": claim.control,
        **{name: sorted(getattr(claim, name)) for name in LISTS},
        "verdict": judgement.verdict.value,
        "builder": None if record is None else builder_id(record.builder),
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One check of a claim, with what was measured for it."""
    check, cell = finding.check, finding.cell
    return {
        "label": check.label,
        "value": str(check.value),
        "total": str(check.total or ""),
        "expect": check.expect,
        "verdict": finding.verdict.value,
        "margin": finding.margin,
        "measured": None if cell is None else measured_data(check.value.quantity, cell),
    }
