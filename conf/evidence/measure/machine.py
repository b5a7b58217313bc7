"""The machine that measures: its GPUs, the cores that go with each, and who has them now.

Two examples side by side disturb each other by what nobody divided: cores, threads, the memory of
the host. So a GPU comes with cores of its own, near it, and torch has as many threads. What an
example says must be ``quiet`` is. Those that need nothing quiet share a GPU, and all its cores, by
threes, at a time when no other runs: even to begin and to end, they hold the driver's lock.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from evidence.examples.script import Script, Settings
from evidence.locks import hold
from evidence.measure import process
from evidence.measure.builder import Place, siblings
from evidence.records.model import Builder

#: No GPU has more cores: what one builder with a single GPU has, all the others can give as well.
MOST_CORES = 16
#: So many examples share a GPU: of more, cores and the making of contexts are the limit.
SHARERS = 3


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
        # Open files of their own: the kernel lends a shared lock to a file, not to a thread.
        self._seats = [
            (lane, {lock: _lock_folder(lock) for lock in self._locks})
            for _ in range(SHARERS)
            for lane in self.lanes
        ]
        self._free = list(self.lanes)
        self._sharing = 0
        self._host_is_free = True
        self._queue: deque[tuple[object, str]] = deque()
        self._changed = threading.Condition()

    def lend(
        self, script: Script, tell: Callable[[str], None], stop: Callable[[], bool]
    ) -> AbstractContextManager[Loan]:
        """What an example needs, in the order of asking; it waits until that is free.

        Only who waits for the host is overtaken, by those who need just a GPU.

        :param tell: told whom it waits for
        """
        waiting = partial(tell, "waiting for a GPU of another campaign")
        lend = (
            self._lend_seat if script.settings.quiet == "nothing" else self._lend_gpus
        )
        return lend(script.settings, partial(hold, tell=waiting, stop=stop))

    @contextmanager
    def _lend_gpus(
        self, settings: Settings, lock: Callable[..., AbstractContextManager[None]]
    ) -> Iterator[Loan]:
        """GPUs that nobody else uses meanwhile, and the cores that go with them."""
        wanted = settings.takes(len(self.lanes))
        of_host = settings.quiet in ("host", "machine")
        with self._turn(
            settings, lambda: not self._sharing and len(self._free) >= wanted
        ):
            lent, self._free = self._free[:wanted], self._free[wanted:]
            self._host_is_free &= not of_host
        whole = settings.quiet == "machine"
        try:
            locks = self._locks if whole else [lane.lock for lane in lent]
            with ExitStack() as held:
                for name in sorted(filter(None, locks)):
                    held.enter_context(lock(self._locks[name]))
                yield self._loan(lent, settings)
        finally:
            with self._changed:
                self._free = sorted({*self._free, *lent}, key=self.lanes.index)
                self._host_is_free |= of_host
                self._changed.notify_all()

    @contextmanager
    def _lend_seat(
        self, settings: Settings, lock: Callable[..., AbstractContextManager[None]]
    ) -> Iterator[Loan]:
        """A GPU and its cores, or several, which others use as well."""
        free = lambda: bool(self._seats) and self._free == self.lanes  # noqa: E731
        with self._turn(settings, free):
            lane, files = seat = self._seats.pop(0)
            self._sharing += 1
        others = [other for other in self.lanes if other != lane]
        wanted = settings.takes(len(self.lanes))
        lent = sorted([lane, *others][:wanted], key=self.lanes.index)
        try:
            with ExitStack() as held:
                for name in sorted(each.lock for each in lent if each.lock):
                    held.enter_context(lock(files[name], shared=True))
                yield self._loan(lent, settings)
        finally:
            with self._changed:
                self._seats.append(seat)
                self._sharing -= 1
                self._changed.notify_all()

    @contextmanager
    def _turn(self, settings: Settings, is_free: Callable[[], bool]) -> Iterator[None]:
        """Wait for the turn of an example, and for what it needs, and then take that."""

        def is_next() -> bool:
            able = (t for t in self._queue if self._host_is_free or t[1] != "host")
            return next(able, None) == ticket and is_free()

        ticket = object(), settings.quiet
        with self._changed:
            self._queue.append(ticket)
            self._changed.wait_for(is_next)
            self._queue.remove(ticket)
            yield
            self._changed.notify_all()

    def _loan(self, lent: Sequence[Lane], settings: Settings) -> Loan:
        theirs = sorted({core for lane in lent for core in lane.cores})
        cores = self.cores if settings.quiet == "machine" else tuple(theirs)
        builder = msgspec.structs.replace(self.builder, share=len(cores))
        gpus = len(self.gpus) if settings.all_gpus else settings.gpus
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
