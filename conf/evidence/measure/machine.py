"""The machine that measures: its GPUs, the cores that go with each, and who has them now.

Two examples side by side disturb each other by what nobody divided: cores, threads, the memory of
the host. So a GPU comes with cores of its own, near it, and torch has as many threads. An example
that reads or fills the whole machine says ``alone``, and runs when nothing else does.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from evidence.examples.script import Script
from evidence.locks import hold
from evidence.measure import process
from evidence.measure.builder import Place, siblings
from evidence.records.model import Builder

#: No GPU has more cores: what one builder with a single GPU has, all the others can give as well.
MOST_CORES = 16


@dataclass(frozen=True, order=True)
class Lane:
    """A GPU, as ``CUDA_VISIBLE_DEVICES`` spells it, its lock, and cores; or cores alone."""

    gpu: str
    lock: str
    cores: tuple[int, ...]


def share_out(
    near: Sequence[Collection[int]], cores: Collection[int]
) -> list[tuple[int, ...]]:
    """Divide the cores: to each GPU the same number, those near it first, and whole ones.

    :param near: of each GPU the cores that are near it
    """
    share_size = max(1, min(MOST_CORES, len(cores) // max(1, len(near))))
    left = sorted(cores, key=lambda core: (siblings(core), core))
    shares = []
    for close in near:
        chosen = sorted(left, key=lambda core: core not in close)[:share_size]
        left = [core for core in left if core not in chosen]
        shares.append(tuple(sorted(chosen or list(cores)[:1])))
    return shares


def lanes(
    gpus: Sequence[str], places: Sequence[Place], cores: Collection[int]
) -> list[Lane]:
    """The lanes of a machine: one for each GPU of these, or one without.

    :param gpus: those that may be used
    :param places: where all GPUs of the machine are: each has its share, used or not
    """
    if not gpus:
        (share,) = share_out([()], cores)
        return [Lane("", "", share)]
    if not all(any(place.is_called(gpu) for place in places) for gpu in gpus):
        # The driver tells nothing, or a part of a GPU is in no list: each is one of its own.
        places = [*(Place(gpu, gpu) for gpu in gpus), *places[len(gpus) :]]
    shared = list(zip(places, share_out([p.near for p in places], cores), strict=True))
    return [
        # The driver, unlike CUDA, knows no beginning of a UUID.
        Lane(gpu if gpu.isdigit() else place.uuid, place.uuid, share)
        for gpu in gpus
        for place, share in shared
        if place.is_called(gpu)
    ]


class Machine:
    """What this machine lends to examples, one GPU to one example at a time.

    :param gpus: ids of the GPUs to use, as ``CUDA_VISIBLE_DEVICES`` spells them
    """

    def __init__(
        self, builder: Builder, gpus: Sequence[str], places: Sequence[Place] = ()
    ) -> None:
        """Nothing is lent yet."""
        self.builder = builder
        self.gpus = gpus
        cores = os.sched_getaffinity(0)
        self.lanes = lanes(gpus, places, cores)
        self.cores = tuple(sorted(cores))
        every = {place.uuid for place in places} | {lane.lock for lane in self.lanes}
        self._locks = {lock: _lock_folder(lock) for lock in every if lock}
        self._free = list(self.lanes)
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def lend(
        self, script: Script, tell: Callable[[str], None], stop: Callable[[], bool]
    ) -> Iterator[Loan]:
        """What an example needs, in the order of asking; it waits until that is free.

        :param tell: told whom it waits for
        """
        settings, ticket = script.settings, object()
        wanted = settings.takes(len(self.lanes))
        with self._changed:
            self._queue.append(ticket)
            self._changed.wait_for(
                lambda: self._queue[0] is ticket and len(self._free) >= wanted
            )
            self._queue.popleft()
            lent, self._free = self._free[:wanted], self._free[wanted:]
            self._changed.notify_all()
        try:
            locks = self._locks if settings.alone else [lane.lock for lane in lent]
            with ExitStack() as held:
                for lock in sorted(filter(None, locks)):
                    waiting = partial(tell, "waiting for a GPU of another campaign")
                    held.enter_context(hold(self._locks[lock], waiting, stop))
                gpus = len(self.gpus) if settings.all_gpus else settings.gpus
                yield self._loan(lent, gpus, alone=settings.alone)
        finally:
            with self._changed:
                self._free = sorted({*self._free, *lent}, key=self.lanes.index)
                self._changed.notify_all()

    def _loan(self, lent: Sequence[Lane], gpus: int, *, alone: bool) -> Loan:
        shared = sorted({core for lane in lent for core in lane.cores})
        cores = self.cores if alone else tuple(shared)
        builder = msgspec.structs.replace(self.builder, share=len(cores))
        return Loan(builder, tuple(lane.gpu for lane in lent[:gpus]), cores)


@dataclass(frozen=True)
class Loan:
    """What one example has to itself: GPUs and cores; and the builder that its record names."""

    builder: Builder
    gpus: tuple[str, ...]
    cores: tuple[int, ...]


def _lock_folder(name: str) -> int:
    """An open folder to lock a GPU by, which the guard holds too."""
    path = Path(tempfile.gettempdir(), f"evidence-gpu-{name.replace('/', '-')}")
    with suppress(FileExistsError):
        path.mkdir()
        path.chmod(0o755)  # every user's campaign locks it
    folder = os.open(path, os.O_DIRECTORY | os.O_NOFOLLOW)
    process.keep(folder)
    return folder


def visible_gpus(builder: Builder) -> list[str]:
    """Ids of the GPUs that a campaign may use, as ``CUDA_VISIBLE_DEVICES`` spells them."""
    every = ",".join(map(str, range(builder.gpus)))
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES", every)
    return [gpu.strip() for gpu in chosen.split(",")][: builder.gpus]
