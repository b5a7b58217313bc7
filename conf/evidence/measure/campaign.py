"""Measuring many examples, one at a time, and making a record of each.

Two examples side by side disturb each other, on two GPUs of one host as well: they share its
cores, its memory and its link. So whatever GPUs there are, one example runs at a time, on the
first of them, or on as many as it needs.
"""

from __future__ import annotations

import datetime
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from evidence.examples.script import Script
from evidence.measure import child, process
from evidence.measure.process import Outcome
from evidence.measure.values import MeasuredError, merge, most_typical
from evidence.records import model, wire
from evidence.records.model import Builder, Figure, Output, Process, Record
from evidence.records.store import checksum, hold

#: Six values of a timing that spread over more than this share of their median call for six more.
SPREAD = 0.10
#: Processes of an example without timings: two, or nothing could ever be seen to differ.
UNTIMED_PROCESSES = 2

FINGERPRINT_TIMEOUT = 120.0

Report = Callable[[str], None]


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
    cause: str
    tail: str = ""

    def __str__(self) -> str:
        """One line, then the output indented."""
        lines = [f"{self.script.path.name} {self.cause}"]
        return "\n".join(lines + [f"    | {line}" for line in self.tail.splitlines()])


class BuilderError(RuntimeError):
    """A machine that cannot tell what it is, or lacks what an example needs."""


def probe() -> Builder:
    """Ask a child process what this machine is; the parent never touches CUDA.

    :raises BuilderError: when the child dies over it
    """
    task = partial(child.write_fingerprint, timeout=FINGERPRINT_TIMEOUT)
    outcome = process.run(task, timeout=FINGERPRINT_TIMEOUT)
    if outcome.cause:
        why = f"{outcome.cause}\n{outcome.tail}"
        raise BuilderError(f"asking this machine what it is {why}")
    return Builder(**outcome.result)


def visible_gpus(builder: Builder, environment: Mapping[str, str]) -> list[str]:
    """Ids of the GPUs that a campaign may use, as ``CUDA_VISIBLE_DEVICES`` spells them."""
    every = ",".join(map(str, range(builder.gpus)))
    chosen = environment.get("CUDA_VISIBLE_DEVICES", every)
    return chosen.split(",")[: builder.gpus]


@dataclass(frozen=True)
class Campaign:
    """A measuring of several examples on one builder.

    :param gpus: ids of the GPUs to use, as ``CUDA_VISIBLE_DEVICES`` spells them
    :param report: told one line for each process
    :param processes: so many in all instead of the plan, for a quick look
    """

    builder: Builder
    gpus: Sequence[str]
    report: Report
    processes: int | None = None

    @classmethod
    def here(
        cls, scripts: Iterable[Script], report: Report, processes: int | None = None
    ) -> Campaign:
        """A campaign on this machine.

        :raises BuilderError: when it cannot tell what it is, or has no GPU and an example needs one
        """
        builder = probe()
        gpus = visible_gpus(builder, os.environ)
        if not gpus and any(script.settings.gpus for script in scripts):
            raise BuilderError("measuring needs a CUDA GPU, and torch sees none here")
        return cls(builder, gpus, report, processes)

    def run(self, scripts: Iterable[Script]) -> Iterator[Recording | Failure]:
        """Measure the examples, and yield each as it is done."""
        lock = Path(tempfile.gettempdir(), f"evidence-{os.getuid()}.lock")
        with lock.open("w") as file:
            if self.gpus:
                other = "waiting until another campaign on this machine has ended"
                hold(file.fileno(), self.report, other)
            yield from map(self._measure, scripts)

    def _measure(self, script: Script) -> Recording | Failure:
        needed, there = script.settings.gpus, len(self.gpus)
        if needed > there:
            return Failure(script, f"needs {needed} GPUs, this machine has {there}")
        gpus = self.gpus if script.settings.all_gpus else self.gpus[:needed]
        runs: list[Run] = []
        fixed = self.processes or script.settings.processes
        planned = fixed or 1
        while len(runs) < planned:
            outcome = self._run_once(script, gpus, len(runs) + 1)
            if outcome.cause:
                return Failure(script, outcome.cause, outcome.tail)
            result = {**outcome.result, "figures": outcome.files}
            runs.append(msgspec.convert(result, Run))
            try:
                measured = merge([wire.opened(run.measured) for run in runs])
            except MeasuredError as error:
                return Failure(script, f"gave no record: {error}", outcome.tail)
            planned = fixed or plan(measured, len(runs))
        record = make_record(script, self.builder, runs, measured)
        return Recording(script, record, runs[record.typical].figures)

    def _run_once(self, script: Script, gpus: Sequence[str], number: int) -> Outcome:
        settings = script.settings
        source = script.path.read_text(encoding="utf-8")
        task = partial(child.run_example, script=script, source=source, gpus=gpus)
        began = time.monotonic()
        outcome = process.run(task, timeout=settings.timeout, fresh=settings.fresh)
        took = time.monotonic() - began
        self.report(f"{script.stem}: process {number}, {took:.1f} s")
        return outcome


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
    shown = runs[typical]
    drawn = sorted(shown.figures.items())
    return Record(
        stem=script.stem,
        code_key=script.code_key,
        recorded=datetime.datetime.now(datetime.UTC).date().isoformat(),
        builder=builder,
        measured=measured,
        outputs=shown.outputs,
        figures=tuple(Figure(name, checksum(content)) for name, content in drawn),
        names=shown.names,
        processes=tuple(run.process for run in runs),
        typical=typical,
        schema=model.SCHEMA,
    )
