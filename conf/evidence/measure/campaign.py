"""Measuring many examples, as many at once as there are GPUs, and making a record of each."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from evidence.examples.script import Script
from evidence.measure import Cause, Failure, Recording, child, process
from evidence.measure.builder import places
from evidence.measure.machine import SHARERS, Loan, Machine, visible_gpus
from evidence.measure.process import Outcome
from evidence.measure.values import MeasuredError, Run, make_record, merge, plan
from evidence.records import wire
from evidence.records.model import Builder, Value
from evidence.records.store import find, record_path

FINGERPRINT_TIMEOUT = 120.0

Report: TypeAlias = Callable[[str], None]
Stop: TypeAlias = Callable[[], bool]


Result: TypeAlias = Recording | Failure


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


def this_machine() -> Machine:
    """The machine that this runs on, with the GPUs that are visible here.

    :raises BuilderError: when it cannot tell what it is
    """
    builder = probe()
    return Machine(builder, visible_gpus(builder), places())


@dataclass(frozen=True)
class Task:
    """One example to measure, as plain data: it may be measured on another host.

    :param processes: at most so many in all, for a look that is quicker than the plan
    :param deadline: seconds since 1970 after which it is not begun
    :param before: what its first processes gave
    """

    script: Script
    processes: float = math.inf
    deadline: float = math.inf
    before: Sequence[Run] = ()


def measure(task: Task, machine: Machine, report: Report, stop: Stop) -> Result:
    """Measure one example on this machine, as soon as what it needs is free."""
    script = task.script

    def is_over() -> bool:
        return stop() or time.time() > task.deadline

    needed, there = script.settings.gpus, len(machine.gpus)
    if needed > there:
        cause = Cause(f"needs {needed} GPUs, this machine has {there}")
        return Failure(script, cause)
    with machine.lend(script, report, is_over) as loan:
        runs, tail = list(task.before), ""
        try:
            while len(runs) < _wanted(task, runs):
                ends = stop if runs else is_over  # what is begun may be finished
                if ends():
                    return Failure(script, process.STOPPED)
                outcome = _run_once(task, loan, report, stop, len(runs) + 1)
                if outcome.cause:
                    return Failure(script, outcome.cause, outcome.tail)
                result = {**outcome.result, "figures": outcome.files}
                runs.append(msgspec.convert(result, Run))
                tail = outcome.tail
            return recording(script, loan.builder, runs)
        except MeasuredError as error:
            return Failure(script, Cause(f"gave no record: {error}"), tail)


def recording(script: Script, builder: Builder, runs: Sequence[Run]) -> Recording:
    """The recording of an example, of what its processes gave on a builder.

    :raises MeasuredError: when they do not agree
    """
    record = make_record(script, builder, runs, _merged(runs))
    return Recording(script, record, runs[record.typical].figures, runs)


def _wanted(task: Task, runs: Sequence[Run]) -> float:
    """How many processes a task wants in all, as far as those that ran tell."""
    if not runs:
        return 1
    planned = task.script.settings.processes or plan(_merged(runs), len(runs))
    return min(planned, task.processes)


def _merged(runs: Sequence[Run]) -> dict[str, Value]:
    return merge([wire.unpacked(run.measured) for run in runs])


def _run_once(
    task: Task, loan: Loan, report: Report, stop: Stop, number: int
) -> Outcome:
    """Run an example once, and report it."""
    script, settings = task.script, task.script.settings
    gpus, cores = loan.gpus, loan.cores
    run = partial(child.run_example, script=script, gpus=gpus, cores=cores)
    timeout, fresh = settings.timeout, settings.fresh
    began = time.monotonic()
    outcome = process.run(run, timeout=timeout, fresh=fresh, stop=stop)
    took = time.monotonic() - began
    report(f"{script.stem}: process {number}, {took:.1f} s")
    return outcome


@dataclass(frozen=True)
class Campaign:
    """A measuring of several examples on one machine.

    :param report: told one line for each process
    :param minutes: for how long examples may begin; None is for ever
    """

    machine: Machine
    report: Report
    minutes: float | None = None

    @property
    def builder(self) -> Builder:
        """The machine's fingerprint."""
        return self.machine.builder

    @classmethod
    def here(
        cls, scripts: Iterable[Script], report: Report, **options: Any
    ) -> Campaign:
        """A campaign on this machine, with these options of its own.

        :raises BuilderError: when it cannot tell what it is, or has no GPU and an example needs one
        """
        machine = this_machine()
        if not machine.gpus and any(script.settings.gpus for script in scripts):
            raise BuilderError("measuring needs a CUDA GPU, and torch sees none here")
        return cls(machine, report, **options)

    def run(
        self,
        scripts: Iterable[Script],
        processes: int | None = None,
        before: Mapping[str, Sequence[Run]] = MappingProxyType({}),
    ) -> Iterator[Result]:
        """Measure the examples, as many at once as there are seats; yield each as it is done.

        :param processes: at most so many in all, for a look that is quicker than the plan
        :param before: what was measured already, by stem, to which more is added
        """
        lanes = len(self.machine.lanes)
        every = tasks(scripts, lanes, processes, self.minutes, before)
        stop = threading.Event()
        pool = ThreadPoolExecutor(lanes * SHARERS)
        arguments = self.machine, self.report, stop.is_set
        running = [pool.submit(measure, task, *arguments) for task in every]
        try:
            for done in as_completed(running):
                yield done.result()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def tasks(
    scripts: Iterable[Script],
    gpus: int,
    processes: int | None = None,
    minutes: float | None = None,
    before: Mapping[str, Sequence[Run]] = MappingProxyType({}),
) -> list[Task]:
    """What a campaign has to do, with the parameters of its run.

    First comes what needs more GPUs than one, last what shares one; of each what took longest.
    """
    deadline = time.time() + 60 * (math.inf if minutes is None else minutes)

    def order(script: Script) -> tuple[float, ...]:
        settings = script.settings
        shares = settings.quiet == "nothing"
        return shares, -settings.takes(gpus), -_seconds(script)

    return [
        Task(
            script,
            processes or math.inf,
            deadline,
            before.get(script.stem, ()),
        )
        for script in sorted(scripts, key=order)
    ]


def _seconds(script: Script) -> float:
    """How long a process of an example took; for ever where no record tells."""
    record = find(record_path(script.path))
    took = [ran.seconds for ran in record.processes] if record else []
    return max(took, default=math.inf)
