"""Passes as files: what other machines measured, one file for a machine and a PyTorch version.

It holds the newest values of each example. What they replaced stays as counts: how a claim did in
earlier passes, as long as its checks and the code of its examples are the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from evidence.judge.claim import Claim
from evidence.judge.verdict import Verdict
from evidence.records import model, store, wire
from evidence.records.model import Builder, Count, Part, Record, Sha256, Table, Timing

SCHEMA: Final = 3
#: So deep each run, example and counted claim has a line of its own.
DEPTH: Final = 2
#: Of a file that is sent or kept: a pass over all examples of this site takes a quarter.
MAX_BYTES: Final = 20_000_000

#: What only a record has.
_REST: Any = {"names": {}, "typical": 0, "schema": 1} | dict.fromkeys(
    ("outputs", "figures", "processes"), ()
)

#: The code keys of the examples as they are now, by stem.
Keys: TypeAlias = "Mapping[str, str]"
#: How often a claim, by its id, had a verdict.
Tally: TypeAlias = "Counter[tuple[str, Verdict]]"

MachineId: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
Commit: TypeAlias = Annotated[str, Meta(pattern="^([0-9a-f]{40,64}(-dirty)?)?$")]


class Raised(model.Raised, frozen=True, tag="raised", tag_field="kind"):
    """An exception that the example caught and kept."""


#: The medians of a timing's processes, in their order.
Medians: TypeAlias = Annotated[tuple[model.Size, ...], Meta(min_length=1)]
#: A single value; a list is a timing.
Single: TypeAlias = bool | int | float | str | Medians | Raised


class Sweep(Part, frozen=True, tag="table", tag_field="kind"):
    """A table: the names of its columns once, and the values of each row in their order."""

    columns: tuple[wire.Name, ...]
    rows: tuple[tuple[Single, ...], ...]


class Entry(Part, frozen=True):
    """What one example measured, and in which run: nothing where it failed."""

    run: Count
    code_key: Sha256
    measured: dict[wire.Name, Single | Sweep]


class Run(Part, frozen=True, kw_only=True):
    """One file that was sent.

    ``commit`` is what pages and examples were checked out from, empty where git does not tell;
    ``held`` and ``of`` count the claims in scope as its sender saw them; ``sent`` is the checksum
    of the file.
    """

    day: model.Date
    commit: Commit
    builder: Builder
    held: Count
    of: Count
    sent: Sha256


class Earlier(Part, frozen=True):
    """How often a claim had which verdict in passes whose values were replaced.

    ``key`` tells its checks and the code of its examples, as they were.
    """

    key: str
    verdicts: dict[Verdict, Count]


class Passes(Part, frozen=True, kw_only=True, dict=True):
    """The passes of one machine with one PyTorch version.

    ``machine`` is a random id; ``examples`` are by their stems, ``earlier`` by the ids of claims.
    """

    schema: Literal[3]
    machine: MachineId
    runs: tuple[Run, ...]
    examples: dict[str, Entry]
    earlier: dict[str, Earlier]
    checksum: Sha256

    def __post_init__(self) -> None:
        kinds = {(run.builder.gpu, run.builder.torch) for run in self.runs}
        if len(kinds) != 1:
            raise ValueError("its runs are not of one GPU model and one PyTorch")
        if any(entry.run >= len(self.runs) for entry in self.examples.values()):
            raise ValueError("an example is of a run that is not there")
        _ = self.records  # no value is wrong that a record could not hold

    @property
    def builder(self) -> Builder:
        """The machine as it was in its newest run."""
        # Of those of one day it is the last: runs stand in the order in which they were kept.
        return max(reversed(self.runs), key=lambda run: run.day).builder

    @property
    def name(self) -> str:
        """What the file is called."""
        torch = re.sub(r"[^\w.+-]", "_", self.builder.torch)
        return f"{self.machine}-{torch or 'without-torch'}.json"

    @cached_property
    def records(self) -> list[dict[str, Record]]:
        """What is kept of each run, as the records of its examples."""
        by_run: list[dict[str, Record]] = [{} for _ in self.runs]
        for stem, entry in self.examples.items():
            run = self.runs[entry.run]
            by_run[entry.run][stem] = Record(
                stem=stem,
                code_key=entry.code_key,
                measured={name: _value(v) for name, v in entry.measured.items()},
                builder=run.builder,
                recorded=run.day,
                **_REST,
            )
        return by_run


DECODER = msgspec.json.Decoder(Passes)


def load(path: Path) -> Passes:
    """Read a file of passes and check that it is whole.

    :raises RecordError: when it is not, or is not called by its machine and PyTorch
    """
    reason = ": keep what was sent with 'nox -s keep -- FILE'"
    data = store.read(path, MAX_BYTES)
    passes = store.unseal(data, DECODER.decode, SCHEMA, reason, DEPTH)
    if path.name != passes.name:
        right = f"{passes.name}, by its machine and PyTorch"
        raise store.RecordError(f"is to be called {right}")
    return passes


def _value(value: Single | Sweep) -> model.Value:
    """The value itself.

    :raises ValueError: when it is too large, or the rows of a table are not those of one
    """
    if not isinstance(value, Sweep):
        return _cell(value)
    rows = (zip(value.columns, row, strict=True) for row in value.rows)
    return Table(tuple({name: _cell(single) for name, single in row} for row in rows))


def _cell(value: Single) -> model.Cell:
    if isinstance(value, tuple):
        # How its samples spread is not kept: nothing is judged by that.
        return Timing(value, (0.0,) * len(value), (1,) * len(value))
    return value if isinstance(value, Raised) else wire.Entry(value=value).cell()


def kept(value: model.Value) -> Single | Sweep:
    """A measured value in the form in which it is kept."""
    if not isinstance(value, Table):
        return _single(value)
    columns = tuple(value.rows[0])
    rows = (tuple(_single(row[column]) for column in columns) for row in value.rows)
    return Sweep(columns, tuple(rows))


def _single(cell: model.Cell) -> Single:
    match cell:
        case model.Plain(plain):
            return plain
        case Timing(median):
            return median
        case model.Raised(name, message):
            return Raised(name, message)


def earlier(passes: Passes, claims: Iterable[Claim], keys: Keys) -> Tally:
    """What replaced values said of those claims in scope that are checked as they were then."""
    verdicts: Tally = Counter()
    for claim in claims:
        counted = passes.earlier.get(claim.id)
        if counted is None or counted.key != checked(claim, keys):
            continue
        if claim.scope.holds_on(passes.builder):
            for verdict, count in counted.verdicts.items():
                verdicts[claim.id, verdict] = count
    return verdicts


def checked(claim: Claim, keys: Keys) -> str:
    """A short hash of what a claim checks: its expectations, and the code of its examples."""
    checks = (f"{check.value} {check.expect}" for check in claim.checks)
    code = (keys.get(stem, "") for stem in sorted(claim.stems))
    return store.checksum("\n".join([claim.of, *checks, *code]).encode())[:12]
