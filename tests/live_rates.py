"""How often a live build errs, simulated: ``PYTHONPATH=conf:tests python tests/live_rates.py``.

It prints the share of builds of true claims that are red, and each check that makes one red more
often than once in ten thousand; the share of checks that are said to hold although the true median
lies a tenth beyond the bound; and how many checks have to go on after each round.

A process is drawn from those of the committed record, with all that it measured. It is shifted by
what a kept pass of another host or day found of that value, less the part of that which single
processes explain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import msgspec
import numpy as np
from conftest import ROOT
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts
from evidence.judge import band, kept
from evidence.judge.claim import Check
from evidence.judge.clear import CLEAR
from evidence.judge.expect import Reference
from evidence.records.address import Address, AddressError, Records, lookup
from evidence.records.model import Cell, Record, Table, Timing
from evidence.records.store import find, record_path

BUILDS = 4000
#: A check that makes a build red more often is listed.
RARE = 1e-4
#: So far beyond its bound is a true median of which "holds" is false.
BEYOND = 1.1


@dataclass(frozen=True)
class Value:
    """A timing: the logarithms of its processes, and of each pass, over its median.

    In a pass without it, it is as in the record.
    """

    stem: str
    processes: np.ndarray
    passes: np.ndarray


@dataclass(frozen=True)
class Timed:
    """A check on timings: how far its value is above its lower and below its upper bound.

    ``plan`` is in how many processes it runs at most; distances are logarithms of factors;
    ``bound`` is the value that it is compared with, if one was measured.
    """

    claim: str
    label: str
    above: float
    below: float
    value: Value
    bound: Value | None
    plan: int


def timed_checks(
    claims: Sequence[tuple[str, Check]], records: Records, passes: Sequence[Records]
) -> Iterator[Timed]:
    """The checks that compare a positive timing with a bound, or with another timing."""
    medians = {stem: _with_medians(record) for stem, record in records.items()}
    for claim, check in claims:
        bounds = check.expectation.bounds
        addresses = [check.value]
        addresses += {b.address: 0 for b in bounds if isinstance(b, Reference)}
        if check.expectation.form in ("most", "least", "==") or len(addresses) > 2:
            continue
        try:
            cells = [(address, lookup(address, records)) for address in addresses]
        except AddressError:  # it waits for a record
            continue
        timings = [(address, cell) for address, cell in cells if _is_timed(cell)]
        if len(timings) < len(cells):
            continue
        low, high = band.band(check.expectation, medians)
        value = timings[0][1].value
        values = [_value(address, cell, passes) for address, cell in timings]
        yield Timed(
            claim,
            f"{check.value} {check.expect}",
            math.log(value / low.high) if low and low.high > 0 else math.inf,
            math.log(high.low / value) if high and high.low > 0 else math.inf,
            *(values[0], values[1] if values[1:] else None),
            max(len(cell.median) for _, cell in timings),
        )


def _with_medians(record: Record) -> Record:
    def median(cell: Cell) -> Cell:
        if not isinstance(cell, Timing):
            return cell
        return Timing((cell.value,), (0.0,), (1,))

    measured: dict[str, Any] = {}
    for name, value in record.measured.items():
        if isinstance(value, Table):
            rows = ({k: median(c) for k, c in row.items()} for row in value.rows)
            measured[name] = Table(tuple(rows))
        else:
            measured[name] = median(value)
    return msgspec.structs.replace(record, measured=measured)


def _is_timed(cell: Cell) -> TypeGuard[Timing]:
    return isinstance(cell, Timing) and min(cell.median) > 0


def _value(address: Address, cell: Timing, passes: Sequence[Records]) -> Value:
    own = np.log(np.array(cell.median) / cell.value)
    found = np.zeros(len(passes))
    for i, records in enumerate(passes):
        if address.stem not in records:
            continue
        try:
            there = lookup(address, records)
        except AddressError:  # what the script measured has another name now
            continue
        if _is_timed(there):
            found[i] = math.log(there.value / cell.value)
    measured = found[found != 0]
    spread = float((measured**2).mean()) if measured.size else 0.0
    of_hosts = math.sqrt(max(0.0, spread - own.var()) / spread) if spread else 0.0
    return Value(address.stem, own, of_hosts * found)


def simulate(
    check: Timed, rng: np.random.Generator, *, beyond: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of many builds whether the claim is true there, holds, and went on after each round."""
    plan, (values, bounds, shift) = check.plan, _drawn(check, rng)
    if beyond:
        is_lower = check.above <= check.below
        above = np.full(BUILDS, -math.log(BEYOND) if is_lower else math.inf)
        below = np.full(BUILDS, math.inf if is_lower else -math.log(BEYOND))
    else:
        above, below = check.above + shift, check.below - shift

    def distance(n: int) -> np.ndarray:
        cut, last = n // 4, n - 1 - n // 4
        ours, theirs = (np.sort(each[:, :n], axis=1) for each in (values, bounds))
        over = above + ours[:, cut] - theirs[:, last]
        under = below + theirs[:, cut] - ours[:, last]
        return np.minimum(over, under)

    room = (check.above + check.below) / 2  # infinite with one bound
    goes_on, undecided = [], np.ones(BUILDS, bool)
    for n, rule in CLEAR.items():
        needed = min(math.log(rule.factor), rule.share * room)
        undecided = undecided & (distance(min(n, plan)) < needed)
        goes_on.append(undecided & (n < plan))
    holds = ~undecided | (distance(plan) >= 0)
    true: np.ndarray = (above > 0) & (below > 0)
    return true, holds, np.array(goes_on)


def _drawn(
    check: Timed, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of many builds the processes of a value, those of its bound, and the shift of the host."""
    value, bound = check.value, check.bound
    draws = rng.integers(0, len(value.processes), (BUILDS, check.plan))
    values, bounds = value.processes[draws], np.zeros((BUILDS, check.plan))
    hosts = rng.integers(0, len(value.passes), BUILDS)
    shift = value.passes[hosts]
    if bound:
        if bound.stem != value.stem or len(bound.processes) != len(value.processes):
            draws = rng.integers(0, len(bound.processes), (BUILDS, check.plan))
        bounds = bound.processes[draws]
        shift = shift - bound.passes[hosts]
    return values, bounds, shift


@dataclass(frozen=True)
class Rates:
    """Of a simulation: shares of builds that are red, and of checks that hold although false.

    ``goes_on`` is how many checks need more processes than each round has; ``listed`` are those
    that make a build red, each with how often.
    """

    checks: int
    passes: int
    red: float
    false: float
    goes_on: Sequence[float]
    listed: list[tuple[float, str]]


def rates() -> Rates:
    """Simulate all timed checks of the pages, by the records and kept passes there are."""
    paths = find_scripts(ROOT / "examples")
    records = {p.stem: r for p in paths if (r := find(record_path(p)))}
    sent = [
        kept.load(path)
        for path in sorted((ROOT / "docs/evidence/passes").glob("*.json"))
    ]
    passes = [_of_today(run, records) for each in sent for run in each.records]
    claims = questions(ROOT / "docs", (), {path.stem for path in paths})
    checks = [(claim.id, check) for claim in claims for check in claim.checks]
    rng = np.random.default_rng(0)
    red, false, goes_on = np.zeros(BUILDS, bool), [], np.zeros(len(CLEAR))
    listed: list[tuple[float, str]] = []
    timed = [*timed_checks(checks, records, passes)]
    for check in timed:
        true, holds, more = simulate(check, rng, beyond=False)
        red |= true & ~holds
        goes_on += more.mean(axis=1)
        rate = (true & ~holds).mean()
        if rate > RARE:
            listed.append((float(rate), f"{check.claim}: {check.label}"))
        false.append(simulate(check, rng, beyond=True)[1].mean())
    share, holding = float(red.mean()), float(np.mean(false))
    return Rates(len(timed), len(passes), share, holding, list(goes_on), listed)


def main() -> None:
    """Print the rates."""
    found = rates()
    print(f"{found.checks} checks, {found.passes} passes, {BUILDS} builds each")
    print(f"builds of true claims that are red: {found.red:.2%}")
    print(f"said to hold a tenth beyond the bound: {found.false:.2%}")
    for n, count in zip(CLEAR, found.goes_on, strict=True):
        print(f"checks that go on after {n} processes: {count:.0f}")
    for rate, text in sorted(found.listed, reverse=True):
        print(f"{rate:7.2%} {text}")


def _of_today(run: Mapping[str, Record], records: Records) -> dict[str, Record]:
    return {
        stem: record
        for stem, record in run.items()
        if stem in records and record.code_key == records[stem].code_key
    }


if __name__ == "__main__":
    main()
