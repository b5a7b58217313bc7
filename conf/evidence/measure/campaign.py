"""Measuring many examples, as many at once as there are GPUs, and making a record of each."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import msgspec

from evidence.examples.script import Script
from evidence.measure import Cause, Failure, Recording, child, process
from evidence.measure.builder import places
from evidence.measure.machine import Loan, Machine, visible_gpus
from evidence.measure.process import Outcome
from evidence.measure.values import MeasuredError, Run, make_record, merge, plan
from evidence.records import wire
from evidence.records.model import Builder

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

    :param processes: so many in all instead of the plan, for a quick look; 0 follows the plan
    :param deadline: seconds since 1970 after which it is not begun
    """

    script: Script
    processes: int = 0
    deadline: float = math.inf


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
        runs: list[Run] = []
        fixed = task.processes or script.settings.processes
        planned = fixed or 1
        while len(runs) < planned:
            ends = stop if runs else is_over  # what is begun may be finished
            if ends():
                return Failure(script, process.STOPPED)
            outcome = _run_once(task, loan, report, stop, len(runs) + 1)
            if outcome.cause:
                return Failure(script, outcome.cause, outcome.tail)
            result = {**outcome.result, "figures": outcome.files}
            runs.append(msgspec.convert(result, Run))
            try:
                measured = merge([wire.unpacked(run.measured) for run in runs])
            except MeasuredError as error:
                cause = Cause(f"gave no record: {error}")
                return Failure(script, cause, outcome.tail)
            planned = fixed or plan(measured, len(runs))
    record = make_record(script, loan.builder, runs, measured)
    return Recording(script, record, runs[record.typical].figures)


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
    :param processes: so many in all instead of the plan, for a quick look
    :param minutes: for how long examples may begin; None is for ever
    """

    machine: Machine
    report: Report
    processes: int | None = None
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

    def run(self, scripts: Iterable[Script]) -> Iterator[Result]:
        """Measure the examples, as many at once as there are GPUs; yield each as it is done."""
        every = tasks(scripts, len(self.machine.lanes), self.processes, self.minutes)
        stop = threading.Event()
        pool = ThreadPoolExecutor(len(self.machine.lanes))
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
) -> list[Task]:
    """What a campaign has to do; with several GPUs first what needs more than one of them."""
    deadline = time.time() + 60 * (math.inf if minutes is None else minutes)
    return [
        Task(script, processes or 0, deadline)
        for script in sorted(scripts, key=lambda script: -script.settings.takes(gpus))
    ]
