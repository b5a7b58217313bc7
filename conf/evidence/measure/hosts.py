"""Several hosts share a campaign, through the scheduler of dask.distributed.

What runs there is what runs here: each worker lends its own GPUs and cores, and a record names the
builder of its worker. A worker that dies is replaced by another; one that has other code than this
is refused.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from queue import Empty, Queue
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from distributed import Client, KilledWorker, Status, Worker, get_worker

from evidence.examples.script import Script
from evidence.measure import Cause, Failure, campaign
from evidence.measure.campaign import BuilderError, Report, Result, Task
from evidence.measure.machine import SHARERS, Machine
from evidence.measure.values import Run
from evidence.records.model import Builder

#: Seconds for a scheduler to answer, and between two looks at which workers there still are.
LOOK = 5.0
#: What must be the same on every host.
ENGINE = ("measure", "examples", "records")


def check(address: str) -> str | None:
    """Refuse the address of a scheduler that strangers can reach: it runs whatever it is given.

    Gives the name of this machine by which alone it and its workers are reached, if any.

    :raises BuilderError: when it is neither this machine's own nor encrypted
    """
    parts = urlsplit(address if "//" in address else f"tcp://{address}")
    host = parts.hostname or ""
    with suppress(ValueError):
        if host == "localhost" or ipaddress.ip_address(host).is_loopback:
            return f"[{host}]" if ":" in host else host
    if parts.scheme != "tls":
        raise BuilderError(f"{address} is reached by anybody: use tls:// or 127.0.0.1")
    return None


async def serve(address: str) -> None:
    """Work for a scheduler until it goes away, as many examples at a time as have a seat."""
    seats = SHARERS * len(_machine().lanes)
    own = {"host": check(address), "dashboard_address": "127.0.0.1:0"}
    # No nanny: its children may have no children, and every example is one.
    async with Worker(address, nthreads=seats, **own) as worker:
        await worker.finished()


@cache
def _machine() -> Machine:
    return campaign.this_machine()


def _offer() -> tuple[str, Builder]:
    """Task: what a worker has: a digest of its code, and its builder."""
    return _engine(), _machine().builder


def _engine() -> str:
    """A digest of the code that measures."""
    root = Path(__file__).parents[1]
    files = sorted(path for room in ENGINE for path in (root / room).glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _measure(task: Task, topic: str) -> Result:
    """Task: measure one example on this worker, until the campaign wants it no more."""
    worker = get_worker()
    key = worker.get_current_task()

    def unwanted() -> bool:
        state = worker.state.tasks.get(key)
        ends = worker.status in (Status.closing, Status.closed)
        return ends or state is None or state.state != "executing"

    def report(line: str) -> None:
        worker.log_event(topic, f"{line} ({worker.address})")

    return campaign.measure(task, _machine(), report, unwanted)


class Hosts:
    """A campaign on the workers of a scheduler.

    :raises BuilderError: when there is no worker, or one cannot be used
    """

    def __init__(
        self, address: str, report: Report, minutes: float | None = None
    ) -> None:
        """Connect, and see what the workers have; ``minutes`` are those of a campaign."""
        check(address)
        try:
            self._client = Client(address, timeout=LOOK, set_as_default=False)
        # Without certificates TLS is an error of another type.
        except (OSError, TypeError) as error:
            raise BuilderError(f"no scheduler answers at {address}: {error}") from None
        check(self._client.scheduler_info()["address"])
        offers = self._client.run(_offer, on_error="return")
        self._builders = _accept(offers, address)
        self.builder = next(iter(self._builders.values()))
        self._report, self._minutes = report, minutes

    def run(
        self,
        scripts: Iterable[Script],
        processes: int | None = None,
        before: Mapping[str, Sequence[Run]] = MappingProxyType({}),
    ) -> Iterator[Result]:
        """Measure the examples on all workers; yield each as it is done.

        Its parameters are those of a campaign's.
        """
        gpus = sum(builder.gpus for builder in self._builders.values())
        topic = f"evidence-{self._client.id}"
        self._client.subscribe_topic(topic, lambda event: self._report(event[1]))
        submit = partial(self._client.submit, _measure, topic=topic, pure=False)
        every = campaign.tasks(scripts, gpus, processes, self._minutes, before)
        # Where none has what an example needs, any can say so.
        pending = {submit(t, workers=self._fit(t.script) or None): t for t in every}
        done: Queue[Any] = Queue()
        for future in pending:
            future.add_done_callback(done.put)
        try:
            while pending:
                with suppress(Empty):
                    future = done.get(timeout=LOOK)
                    yield _result(future, pending.pop(future))
                self._give_up(pending)
        finally:
            self._client.cancel(list(pending))
            self._client.close()

    def _fit(self, script: Script) -> list[str]:
        """The workers that have what an example needs."""
        needed = script.settings.gpus
        return [name for name, has in self._builders.items() if has.gpus >= needed]

    def _give_up(self, pending: dict[Any, Task]) -> None:
        """Give up what nobody is left to measure."""
        there: Collection[str] = ()
        with suppress(OSError):  # nor is the scheduler left
            there = self._client.nthreads().keys()
        for future, task in pending.items():
            if not set(self._fit(task.script) or there) & set(there):
                future.cancel()


def _accept(offers: dict[str, Any], address: str) -> dict[str, Builder]:
    """The builders of the workers, all of which measure alike.

    :raises BuilderError: when one would not
    """
    if not offers:
        start = f"python -m evidence worker {address}"
        raise BuilderError(f"{address} has no worker; start one: {start}")
    builders = {}
    for name, offer in offers.items():
        if isinstance(offer, Exception):
            raise BuilderError(f"the worker {name} cannot measure: {offer}")
        engine, builders[name] = offer
        if engine != _engine():
            raise BuilderError(f"the worker {name} has other code than this campaign")
    models = sorted({builder.gpu for builder in builders.values()})
    if len(models) > 1:
        raise BuilderError(f"the workers have several GPUs: {', '.join(models)}")
    return builders


def _result(future: Any, task: Task) -> Result:
    if future.cancelled():
        cause = Cause("was given up: no worker is left that could run it")
        return Failure(task.script, cause)
    try:
        result: Result = future.result()
    except KilledWorker as error:
        return Failure(task.script, Cause(f"ended its workers: {error}"))
    return result
