"""Measuring many examples on the GPUs that are visible, and making a record of each."""

from __future__ import annotations

import datetime
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from evidence.measure import builder as machine
from evidence.measure import child, process
from evidence.measure.values import MeasuredError, merge, most_typical, timings
from evidence.records.model import (
    FEW_PROCESSES,
    MANY_PROCESSES,
    SCHEMA,
    Builder,
    Figure,
    Output,
    Process,
    Record,
    Value,
)
from evidence.records.store import checksum, rounded

if TYPE_CHECKING:
    from evidence.examples.script import Script
    from evidence.measure.process import Outcome

#: Six values of a timing that spread over more than this share of their median call for six more.
SPREAD = 0.10
#: Processes of an example without timings: two, or nothing could ever be seen to differ.
UNTIMED_PROCESSES = 2

FINGERPRINT_TIMEOUT = 120.0

#: Where an object lies in memory says nothing and differs each time.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?=>)")

Report = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """A record just made, with the contents of its figures by file name."""

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
    task = partial(machine.write_fingerprint, timeout=FINGERPRINT_TIMEOUT)
    outcome = process.run(task, timeout=FINGERPRINT_TIMEOUT)
    if outcome.cause:
        raise BuilderError(
            f"asking this machine what it is {outcome.cause}\n{outcome.tail}"
        )
    return Builder(**outcome.result)


class GpuPool:
    """The visible GPUs, each lent to one example at a time."""

    def __init__(self, gpus: Sequence[str]) -> None:
        self._free = list(gpus)
        self._changed = threading.Condition()

    @contextmanager
    def lend(self, count: int) -> Iterator[list[str]]:
        """Wait until so many GPUs are free and lend them."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._free) >= count)
            lent = [self._free.pop(0) for _ in range(count)]
        try:
            yield lent
        finally:
            with self._changed:
                self._free = sorted([*self._free, *lent])
                self._changed.notify_all()


@dataclass
class Campaign:
    """A measuring of several examples on one builder.

    :param gpus: ids of the GPUs to use, as ``CUDA_VISIBLE_DEVICES`` spells them
    :param report: told one line for each example and process
    :param processes: so many in all instead of the plan, for a quick look
    """

    builder: Builder
    gpus: Sequence[str]
    report: Report
    processes: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def run(
        self, scripts: Sequence[Script], executor: Executor | None = None
    ) -> Iterator[Measured | Failure]:
        """Measure the examples, and yield each as it is done.

        Interrupted, it kills what runs and yields nothing more.
        """
        pool = GpuPool(self.gpus)
        # Those that need several GPUs first: the others fill the gaps they leave.
        ordered = sorted(scripts, key=lambda script: -script.settings.gpus)
        workers = executor or ThreadPoolExecutor(max_workers=max(1, len(self.gpus)))
        futures: list[Future[Measured | Failure]] = [
            workers.submit(self._measure_on, pool, script) for script in ordered
        ]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            self.stop.set()
            workers.shutdown(wait=True, cancel_futures=True)

    def _measure_on(self, pool: GpuPool, script: Script) -> Measured | Failure:
        needed = script.settings.gpus
        if needed > len(self.gpus):
            return Failure(
                script, f"needs {needed} GPUs, this machine has {len(self.gpus)}"
            )
        with pool.lend(needed) as gpus:
            return self._measure(script, gpus)

    def _measure(self, script: Script, gpus: Sequence[str]) -> Measured | Failure:
        outcomes: list[Outcome] = []
        planned = self.processes or script.settings.processes or 1
        while len(outcomes) < planned:
            outcome = self._run_once(script, gpus, len(outcomes) + 1)
            if outcome.cause:
                return Failure(script, outcome.cause, outcome.tail)
            outcomes.append(outcome)
            try:
                measured = merge([outcome.result["measured"] for outcome in outcomes])
            except MeasuredError as error:
                return Failure(script, f"gave no record: {error}", outcome.tail)
            if not (self.processes or script.settings.processes):
                planned = plan(measured, len(outcomes))
        return make_record(script, self.builder, outcomes, measured)

    def _run_once(self, script: Script, gpus: Sequence[str], number: int) -> Outcome:
        settings = script.settings
        task = partial(
            child.run_example,
            gpus=list(gpus),
            timeout=settings.timeout,
            name=script.path.name,
            source=script.path.read_text(encoding="utf-8"),
            cells=[(cell.source, cell.line) for cell in script.cells],
            expected_warnings=settings.expected_warnings,
        )
        began = time.monotonic()
        outcome = process.run(
            task, timeout=settings.timeout, fresh=settings.fresh, stop=self.stop
        )
        place = f"GPU {','.join(gpus)}" if gpus else "no GPU"
        took = time.monotonic() - began
        self.report(f"{script.stem}: {place}, process {number}, {took:.1f} s")
        return outcome


def plan(measured: Mapping[str, Value], done: int) -> int:
    """How many processes an example needs in all, given what the first ``done`` measured.

    A rule of the measuring alone: it knows no claim, and is fixed before the run.
    """
    timed = timings(measured)
    if not timed:
        return UNTIMED_PROCESSES
    unsteady = any(timing.spread > SPREAD for timing in timed)
    # Once the second half is begun it is finished: stopping early would choose among results.
    more = done > FEW_PROCESSES or (done == FEW_PROCESSES and unsteady)
    return MANY_PROCESSES if more else FEW_PROCESSES


def make_record(
    script: Script,
    builder: Builder,
    outcomes: Sequence[Outcome],
    measured: Mapping[str, Value],
) -> Measured:
    """Make the record of an example from what its processes gave."""
    typical = most_typical(measured, len(outcomes))
    shown = outcomes[typical]
    # The example's own name in front: figures of all examples of a chapter share its folder.
    renamed = {name: name.replace("figure", script.stem, 1) for name in shown.files}
    figures = {renamed[name]: content for name, content in sorted(shown.files.items())}
    record = Record(
        stem=script.stem,
        code_key=script.code_key,
        recorded=datetime.datetime.now(datetime.UTC).date().isoformat(),
        builder=builder,
        measured=measured,
        outputs=tuple(_output(raw, renamed) for raw in shown.result["outputs"]),
        figures=tuple(
            Figure(name, checksum(content)) for name, content in figures.items()
        ),
        names=shown.result["names"],
        processes=tuple(_process(outcome.result) for outcome in outcomes),
        typical=typical,
        schema=SCHEMA,
    )
    return Measured(record, figures)


def _output(raw: Mapping[str, Any], renamed: Mapping[str, str]) -> Output:
    figures = tuple(renamed[name] for name in raw["figures"])
    return Output(text=_ADDRESS.sub("", raw["text"]), html=raw["html"], figures=figures)


def _process(result: Mapping[str, Any]) -> Process:
    return Process(seconds=rounded(result["seconds"]), **result["state"])


def visible_gpus(builder: Builder, environment: Mapping[str, str]) -> list[str]:
    """Ids of the GPUs that a campaign may use."""
    chosen = environment.get("CUDA_VISIBLE_DEVICES")
    ids = (
        chosen.split(",")
        if chosen is not None
        else [str(i) for i in range(builder.gpus)]
    )
    return ids[: builder.gpus]
