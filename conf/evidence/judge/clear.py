"""When few processes tell a verdict, and what of many is judged by.

The rule is fixed before anything is measured. It is the same for each claim, and drops no value: an
example runs once; three times, if a claim that rests on it does not clearly hold; and in all of
its plan, if one still does not. Then the middle half of the processes tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from evidence.judge.claim import Claim
from evidence.judge.verdict import Finding, Verdict, judge_all
from evidence.records.address import AddressError, Records, lookup
from evidence.records.model import Cell, Record, Table, Timing, Value

#: By which factor a bound must stand off each of so many processes for a claim to hold clearly.
CLEAR: Mapping[int, float] = {1: 1.3, 3: 1.15}


def unclear(claims: Iterable[Claim], records: Records) -> set[str]:
    """The stems of the examples that some claim needs in more processes.

    :param records: what was measured so far, by stem
    """
    asked = [claim for claim in claims if claim.stems <= records.keys()]
    findings = (f for j in judge_all(asked, records) for f in j.findings)
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
    needed = min(factor for n, factor in CLEAR.items() if n <= min(counts))
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
    if not isinstance(cell, Timing):
        return cell
    cut = len(cell.median) // 4
    of_each = sorted(zip(cell.median, cell.iqr, cell.n, strict=True))
    median, iqr, n = zip(*of_each[cut : len(of_each) - cut], strict=True)
    return Timing(median, iqr, n)
