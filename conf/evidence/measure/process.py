"""Running one task in a process of its own, and cleaning up behind it whatever it does.

A device-side assert poisons a CUDA context and a segfault ends a process, so every example has one
of its own. It is forked from a server that has torch loaded and CUDA untouched, which costs a
tenth of a fresh interpreter. (Process pools do not serve: they report an ``os._exit(0)`` as a
timeout, and leave grandchildren that keep the GPU.)

An example is a session of its own. What it starts may leave that session, but still stands in its
scratch folder. All these folders lie in one, which a guard watches that outlives the campaign.
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import reduction
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import msgspec
import psutil

from evidence.measure import Cause, Reason
from evidence.measure.child import OUTPUT, RESULT

#: More output than this is a mistake of the example; a page shows a few lines.
MAX_OUTPUT = 1_000_000
POLL = 0.1
#: Seconds that what an example started may take to end after it.
GRACE = 1.0
#: Seconds that what was killed may take to die: what waits for a broken driver never does.
DEATH = 20.0
#: Lines of output in a report of a failure, and their width: a dump of the stack takes a dozen.
TAIL = 24
WIDTH = 200
#: The cause of what was killed because the campaign stops.
STOPPED = Cause("was stopped", Reason.STOPPED)


@dataclass(frozen=True)
class Outcome:
    """What one process gave: its result, or the cause for having none.

    ``tail`` are the last lines of what it wrote; ``files`` are the figures it drew, by name.
    """

    cause: Cause | None
    result: dict[str, Any] = field(default_factory=dict)
    tail: str = ""
    files: dict[str, bytes] = field(default_factory=dict)


def run(
    task: Callable[[Path], None],
    *,
    timeout: float,
    fresh: bool = False,
    stop: Callable[[], bool] = bool,
) -> Outcome:
    """Run a task in a process of its own and wait for it; interrupted, kill it.

    :param task: a picklable function of the folder for its result; it must call
        :func:`evidence.measure.child.enter` first
    :param timeout: seconds after which the process and all it started are killed
    :param fresh: start a new interpreter instead of forking one that has torch loaded
    :param stop: whether to kill it now; asked many times a second
    """
    context: Any = multiprocessing.get_context("spawn") if fresh else _fork_server()
    _, watched = guard()
    with tempfile.TemporaryDirectory(dir=watched) as name:
        folder = Path(name)
        (folder / OUTPUT).touch()
        process = context.Process(target=task, args=(folder,))
        process.start()
        try:
            cause = _await(process, folder / OUTPUT, timeout, stop)
            if not cause and (left := outlast(folder, GRACE, {process.pid})):
                cause = Cause(f"left a process running ({left})")
        finally:
            process.kill()  # also when it has no session of its own yet
            immortal = outlast(folder, DEATH, {process.pid}, kill=True)
            process.join(DEATH)
        if immortal:
            cause = Cause(f"left a process that cannot be killed ({immortal})")
        return _read(folder, cause, process.exitcode or 0)


@cache
def _fork_server() -> ForkServerContext:
    """The server that children are forked from; it ignores what is not installed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        [
            "torch",
            "numpy",
            # Imported at the first figure, and at the first start of torch.profiler: an
            # example would spend up to half of its seconds on that.
            "matplotlib.pyplot",
            "matplotlib.backends.backend_agg",
            "matplotlib.backends.backend_svg",
            "torch._inductor.config",
            "evidence.measure.child",
        ]
    )
    return context


def _await(
    process: Any, output: Path, timeout: float, stop: Callable[[], bool]
) -> Cause | None:
    """Wait for the process to end; the cause why it must be killed, or nothing."""
    deadline = time.monotonic() + timeout
    ended = False
    while not ended:
        # A process forked from a fresh one holds the sentinel open: ask for the exit code as well.
        ended = bool(wait([process.sentinel], POLL)) or process.exitcode is not None
        if output.stat().st_size > MAX_OUTPUT:
            return Cause(f"wrote more than {MAX_OUTPUT // 1_000_000} MB of output")
        if not ended and stop():
            return STOPPED
        if not ended and time.monotonic() > deadline:
            return Cause(f"was still running after {timeout:g} s")
    return None


def _read(folder: Path, cause: Cause | None, exit_code: int) -> Outcome:
    """What a process left in its folder; ``cause`` says why it was killed, if it was."""
    result: dict[str, Any] = {}
    if not cause and (folder / RESULT).exists():
        result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        cause = msgspec.convert(result.get("cause"), Cause | None)
    elif not cause:
        cause = Cause(f"ended with exit code {exit_code} before its last cell")
        if exit_code < 0:
            words = signal.strsignal(-exit_code)
            cause = Cause(f"was ended by signal {-exit_code} ({words})")
    output = (folder / OUTPUT).read_bytes()[:MAX_OUTPUT].decode("utf-8", "replace")
    tail = "\n".join(line[:WIDTH] for line in output.splitlines()[-TAIL:])
    files = {path.name: path.read_bytes() for path in folder.glob("*.svg")}
    return Outcome(cause, result, tail, files)


def outlast(
    folder: Path, seconds: float, sessions: Collection[int] = (), *, kill: bool = False
) -> str:
    """Wait until nothing of an example lives; the names of what still does after so long.

    :param kill: kill every process of it, and those that they start meanwhile
    """
    deadline = time.monotonic() + seconds
    while members := _members(folder, sessions):
        if time.monotonic() > deadline:
            return ", ".join(sorted({process.info["name"] for process in members}))
        for process in members if kill else ():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        time.sleep(POLL / 4)
    return ""


def _members(folder: Path, sessions: Collection[int]) -> list[psutil.Process]:
    """The living processes of these sessions, and of those that stand in the folder."""
    # Sessions of which one process stands in the folder: another may stand elsewhere.
    within = set(sessions)
    session_of = {}
    for process in psutil.process_iter(["name", "status"]):
        if process.info["status"] != psutil.STATUS_ZOMBIE:
            with suppress(OSError, psutil.Error):
                session_of[process] = os.getsid(process.pid)
                if folder in Path(process.cwd()).parents:
                    within.add(session_of[process])
    return [process for process, session in session_of.items() if session in within]


@cache
def guard() -> tuple[Connection, Path]:
    """Start a process that ends when this one does, however that ends, and leaves nothing behind.

    No handler runs in a campaign that is killed. The guard sees its end of a pipe close, kills
    the examples that still run, and keeps the locks of their GPUs for as long. Gives the pipe, and
    the folder in which it looks for them.
    """
    folder = Path(tempfile.mkdtemp(prefix="evidence-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    pipe, other = _fork_server().Pipe()
    _fork_server().Process(target=_watch, args=(other, folder), daemon=True).start()
    other.close()
    return pipe, folder


def keep(lock: int) -> None:
    """Have the guard hold an open file too: who locks it keeps it until both have ended."""
    pipe, _ = guard()
    reduction.send_handle(pipe, lock, os.getpid())


def _watch(pipe: Connection, folder: Path) -> None:
    """Task of the guard's process."""
    os.setsid()  # Ctrl-C is for the campaign
    with suppress(EOFError, ConnectionError):
        while True:
            # A lock is kept by this process having its file open: nothing closes it.
            reduction.recv_handle(pipe)
    outlast(folder, DEATH, kill=True)
    # What was about to start as the campaign ended finds no folder to enter, and ends too.
    shutil.rmtree(folder, ignore_errors=True)
