"""When few processes tell a verdict, and what of many is judged by.

The rule is fixed before anything is measured. It is the same for each claim, and drops no value: an
example runs once; three times, if a claim that rests on it does not clearly hold; then six times,
and in all of its plan, while one still does not. Of six or more the middle half tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from evidence.judge.claim import Claim
from evidence.judge.verdict import Finding, Verdict, judge_all
from evidence.records.address import AddressError, Records, lookup
from evidence.records.model import Cell, Record, Table, Timing, Value


class Clear(NamedTuple):
    """How far a bound stands off what was measured for a claim to hold clearly: by a factor.

    A value amid two near bounds stands off none of them that far: there, ``share`` of the room that
    it has is enough, on a scale of logarithms.
    """

    factor: float
    share: float


#: How far a bound must stand off each of so many processes; of six, off their middle half.
CLEAR: Mapping[int, Clear] = {
    1: Clear(1.25, 0.7),
    3: Clear(1.1, 0.5),
    6: Clear(1.05, 0.3),
}


def unclear(claims: Iterable[Claim], records: Records) -> set[str]:
    """The stems of the examples that some claim needs in more processes.

    :param records: what was measured so far, by stem
    """
    asked = [claim for claim in claims if claim.stems <= records.keys()]
    judged = judge_all(asked, middles(records, records.keys()))
    findings = (finding for judgement in judged for finding in judgement.findings)
    return {stem for finding in findings for stem in _unclear(finding, records)}


def _unclear(finding: Finding, records: Records) -> set[str]:
    """The examples of the timings that a check rests on, if those do not tell its verdict."""
    stems, counts = set(), []
    for address in finding.check.addresses:
        # A value that is missing is missing in more processes as well.
        try:
            cell = lookup(address, records)
        except AddressError:
            continue
        if isinstance(cell, Timing):
            stems.add(address.stem)
            counts.append(len(cell.median))
    if finding.verdict is Verdict.OUT_OF_SCOPE or not stems:
        return set()
    rule = CLEAR[max(n for n in CLEAR if n <= min(counts))]
    needed = min(rule.factor, finding.room**rule.share)
    holds = finding.verdict is Verdict.HOLDS and finding.factor >= needed
    return set() if holds else stems


def middles(records: Records, of: Collection[str]) -> dict[str, Record]:
    """Records in which the timings of these stems have the middle half of their processes."""
    return {
        stem: _with_middles(record) if stem in of else record
        for stem, record in records.items()
    }


def _with_middles(record: Record) -> Record:
    halved: dict[str, Value] = {}
    for name, value in record.measured.items():
        if isinstance(value, Table):
            rows = ({key: _middle(cell) for key, cell in r.items()} for r in value.rows)
            halved[name] = Table(tuple(rows))
        else:
            halved[name] = _middle(value)
    return msgspec.structs.replace(record, measured=halved)


def _middle(cell: Cell) -> Cell:
    """Of 6 processes the second to the fifth, of 12 the fourth to the ninth; of fewer all."""
    if not isinstance(cell, Timing) or len(cell.median) == 1:
        return cell
    cut = len(cell.median) // 4
    of_each = sorted(zip(cell.median, cell.iqr, cell.n, strict=True))
    median, iqr, n = zip(*of_each[cut : len(of_each) - cut], strict=True)
    return Timing(median, iqr, n)
