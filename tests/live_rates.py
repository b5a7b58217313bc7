"""How often a live build errs, simulated: ``PYTHONPATH=conf:tests python tests/live_rates.py``.

It prints the share of builds of true claims that are red, and each check that makes one red more
often than once in ten thousand; the share of checks that are said to hold although the true median
lies a tenth beyond the bound; and how many checks have to go on after one process and after three.

A process is drawn from those of the committed record, and shifted by what a kept pass of another
host or day found of that value, less the part of that which single processes explain. A bound that
was measured itself is drawn in the same way, on its own: for a ratio of two times of one process
that is pessimistic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import numpy as np
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts
from evidence.judge import band, kept
from evidence.judge.claim import Check
from evidence.judge.clear import CLEAR
from evidence.judge.expect import Reference
from evidence.records.address import Address, AddressError, Records, lookup
from evidence.records.model import Cell, Interval, Record, Timing
from evidence.records.store import find, record_path

BUILDS = 4000
#: A check that makes a build red more often is listed.
RARE = 1e-4
#: So far beyond its bound is a true median of which "holds" is false.
BEYOND = 1.1


@dataclass(frozen=True)
class Value:
    """A timing: the logarithms of its processes, and of its passes, over its median."""

    processes: np.ndarray
    passes: np.ndarray

    def draw(self, rng: np.random.Generator, builds: int, n: int) -> np.ndarray:
        """The processes of many builds, shape ``(builds, n)``."""
        return rng.choice(self.processes, (builds, n))


@dataclass(frozen=True)
class Timed:
    """A check on timings: how far its value is above its lower and below its upper bound.

    ``plan`` is in how many processes it runs at most; distances are logarithms of factors.
    """

    claim: str
    label: str
    above: float
    below: float
    values: tuple[Value, ...]
    plan: int


def timed_checks(
    claims: Sequence[tuple[str, Check]], records: Records, passes: Sequence[Records]
) -> Iterator[Timed]:
    """The checks that compare a positive timing with a bound."""
    for claim, check in claims:
        bounds = check.expectation.bounds
        measured = [b.address for b in bounds if isinstance(b, Reference)]
        addresses = [check.value, *measured]
        if check.expectation.form in ("most", "least", "=="):
            continue
        try:
            cells = [(address, lookup(address, records)) for address in addresses]
        except AddressError:  # it waits for a record
            continue
        timings = [(address, cell) for address, cell in cells if _is_timed(cell)]
        if len(timings) < len(cells):
            continue
        low, high = band.band(check.expectation, records)
        value = timings[0][1].value
        yield Timed(
            claim,
            f"{check.value} {check.expect}",
            math.log(value / _middle(low)) if low and low.low > 0 else math.inf,
            math.log(_middle(high) / value) if high and high.high > 0 else math.inf,
            tuple(_value(address, cell, passes) for address, cell in timings),
            max(len(cell.median) for _, cell in timings),
        )


def _is_timed(cell: Cell) -> TypeGuard[Timing]:
    return isinstance(cell, Timing) and min(cell.median) > 0


def _middle(interval: Interval) -> float:
    return (interval.low + interval.high) / 2


def _value(address: Address, cell: Timing, passes: Sequence[Records]) -> Value:
    own = np.log(np.array(cell.median) / cell.value)
    found = [0.0]
    for records in passes:
        try:
            there = lookup(address, records)
        except AddressError:
            continue
        if _is_timed(there):
            found.append(math.log(there.value / cell.value))
    others = np.array(found)
    spread = float((others**2).mean())
    of_hosts = math.sqrt(max(0.0, spread - own.var()) / spread) if spread else 0.0
    return Value(own, of_hosts * others)


def simulate(
    check: Timed, rng: np.random.Generator, *, beyond: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of many builds whether the claim is true there, holds, and went on after one and three."""
    above, below = np.full(BUILDS, check.above), np.full(BUILDS, check.below)
    if beyond:
        is_lower = check.above <= check.below
        above[:] = -math.log(BEYOND) if is_lower else math.inf
        below[:] = math.inf if is_lower else -math.log(BEYOND)
    else:
        for sign, value in zip((1, -1), check.values, strict=False):
            shift = sign * rng.choice(value.passes, BUILDS)
            above, below = above + shift, below - shift
    true = (above > 0) & (below > 0)
    drawn = np.zeros((BUILDS, check.plan))
    for sign, value in zip((1, -1), check.values, strict=False):
        drawn += sign * value.draw(rng, BUILDS, check.plan)

    def distance(n: int) -> np.ndarray:
        ordered, cut = np.sort(drawn[:, :n], axis=1), n // 4
        low, high = ordered[:, cut], ordered[:, n - 1 - cut]
        return np.minimum(above + low, below - high)

    one, three = (distance(min(n, check.plan)) >= math.log(f) for n, f in CLEAR.items())
    holds = one | three | (distance(check.plan) >= 0)
    return true, holds, ~one, ~one & ~three


def main() -> None:
    """Print the rates."""
    paths = find_scripts(Path("examples"))
    records = {p.stem: r for p in paths if (r := find(record_path(p)))}
    sent = [kept.load(path) for path in sorted(Path("docs/evidence/passes").glob("*"))]
    passes = [_of_today(run, records) for each in sent for run in each.records]
    claims = questions(Path("docs"), (), {path.stem for path in paths})
    checks = [(claim.id, check) for claim in claims for check in claim.checks]
    rng = np.random.default_rng(0)
    red, false, ones, threes = np.zeros(BUILDS, bool), [], 0.0, 0.0
    listed: list[tuple[float, str]] = []
    timed = [*timed_checks(checks, records, passes)]
    for check in timed:
        true, holds, one, three = simulate(check, rng, beyond=False)
        red |= true & ~holds
        ones, threes = ones + one.mean(), threes + three.mean()
        rate = (true & ~holds).mean()
        if rate > RARE:
            listed.append((float(rate), f"{check.claim}: {check.label}"))
        false.append(simulate(check, rng, beyond=True)[1].mean())
    print(f"{len(timed)} checks, {len(passes)} passes, {BUILDS} builds each")
    print(f"builds of true claims that are red: {red.mean():.2%}")
    print(f"said to hold a tenth beyond the bound: {np.mean(false):.2%}")
    print(f"checks that go on after one process: {ones:.0f}, after three: {threes:.0f}")
    for rate, text in sorted(listed, reverse=True):
        print(f"{rate:7.2%} {text}")


def _of_today(run: Mapping[str, Record], records: Records) -> dict[str, Record]:
    return {
        stem: record
        for stem, record in run.items()
        if stem in records and record.code_key == records[stem].code_key
    }


if __name__ == "__main__":
    main()
