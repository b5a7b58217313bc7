"""Making a record of an example from what its processes gave, and a word on how they went."""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from msgspec import Struct

from evidence.examples.script import Script
from evidence.measure.values import most_typical
from evidence.records import model, wire
from evidence.records.model import Builder, Figure, Output, Process, Record
from evidence.records.store import checksum

#: Six values of a timing that spread over more than this share of their median call for six more.
SPREAD = 0.10
#: Processes of an example without timings: two, or nothing could ever be seen to differ.
UNTIMED_PROCESSES = 2
#: A GPU's clock below this share of what it mostly is counts as slower.
SLOW = 0.95


class Reason(Enum):
    """The kinds of failure that are treated unalike."""

    ERROR = "error"
    OUT_OF_MEMORY = "out of memory"
    #: The example itself said that this machine is none for it.
    SKIPPED = "skipped"
    #: The campaign ended before the example did.
    STOPPED = "stopped"


class Cause(Struct, frozen=True):
    """Why an example gave nothing, in words that follow the name of its file, and of what kind."""

    text: str
    reason: Reason = Reason.ERROR

    def __str__(self) -> str:
        """The words alone."""
        return self.text


class Run(Struct, frozen=True):
    """What one process of an example gave, with the contents of its figures by file name."""

    outputs: tuple[Output, ...]
    measured: dict[str, wire.Value]
    names: dict[str, str]
    process: Process
    figures: dict[str, bytes]


@dataclass(frozen=True)
class Recording:
    """A record just made of an example, with the contents of its figures by file name."""

    script: Script
    record: Record
    figures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """An example that gave no record: why, and the last lines of what it wrote."""

    script: Script
    cause: Cause
    tail: str = ""

    def __str__(self) -> str:
        """One line, then the output indented."""
        lines = [f"{self.script.path.name} {self.cause}"]
        return "\n".join(lines + [f"    | {line}" for line in self.tail.splitlines()])


def plan(measured: Mapping[str, model.Value], done: int) -> int:
    """How many processes an example needs in all, given what the first ``done`` measured.

    A rule of the measuring alone: it knows no claim, and is fixed before the run.
    """
    timed = timings(measured)
    if not timed:
        return UNTIMED_PROCESSES
    unsteady = any(timing.spread > SPREAD for timing in timed)
    # Once the second half is begun it is finished: stopping early would choose among results.
    more = done > model.FEW_PROCESSES or (done == model.FEW_PROCESSES and unsteady)
    return model.MANY_PROCESSES if more else model.FEW_PROCESSES


def timings(measured: Mapping[str, model.Value]) -> list[model.Timing]:
    """Every timing among the values, those in tables too."""
    cells = (cell for _, cell in model.leaves(measured))
    return [cell for cell in cells if isinstance(cell, model.Timing)]


def make_record(
    script: Script,
    builder: Builder,
    runs: Sequence[Run],
    measured: Mapping[str, model.Value],
) -> Record:
    """Make the record of an example from what its processes gave."""
    typical = most_typical(timings(measured), len(runs))
    shown_run = runs[typical]
    drawn = sorted(shown_run.figures.items())
    return Record(
        stem=script.stem,
        code_key=script.code_key,
        recorded=datetime.datetime.now(datetime.UTC).date().isoformat(),
        builder=builder,
        measured=measured,
        outputs=shown_run.outputs,
        figures=tuple(Figure(name, checksum(content)) for name, content in drawn),
        names=shown_run.names,
        processes=tuple(run.process for run in runs),
        typical=typical,
        schema=model.SCHEMA,
    )


def conditions(results: Iterable[Recording | Failure]) -> list[str]:
    """How a campaign went: its processes, the clocks of its GPUs, what slowed them down."""
    recordings = [result for result in results if isinstance(result, Recording)]
    runs = [(r.script.stem, run) for r in recordings for run in r.record.processes]
    if not runs:
        return []
    seconds = sum(run.seconds for _, run in runs)
    stem, worst = max(runs, key=lambda pair: pair[1].stolen_share)
    # Without a GPU, or where the driver does not tell, there is none.
    clocks = [run.sm_clock_hz for _, run in runs if run.sm_clock_hz]
    clock = statistics.median(clocks or [0])
    slow = {
        f"{stem} ({run.throttle or 'clock'})"
        for stem, run in runs
        if run.throttle or 0 < run.sm_clock_hz < SLOW * clock
    }
    return [
        f"{len(recordings)} examples ran in {len(runs)} processes, for {seconds:.0f} s in all",
        f"GPU clock {clock / 1e6:.0f} MHz; slowed down: {', '.join(sorted(slow)) or 'none'}",
        f"time stolen from the cores: at most {worst.stolen_share:.1%} ({stem})",
    ]
