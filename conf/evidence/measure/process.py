"""Running one task in a process of its own, and cleaning up behind it whatever it does.

A device-side assert poisons a CUDA context and a segfault ends a process, so every example has one
of its own. It is forked from a server that has torch loaded and CUDA untouched, which costs a
tenth of a fresh interpreter. (Process pools do not serve: they report an ``os._exit(0)`` as a
timeout, and leave grandchildren that keep the GPU.)
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import msgspec

from evidence.measure.child import OUTPUT, RESULT
from evidence.measure.recording import Cause, Reason
from evidence.measure.session import DEATH, NOBODY, POLL, Guard, outlast

#: More output than this is a mistake of the example; a page shows a few lines.
MAX_OUTPUT = 1_000_000
#: Seconds that what an example started may take to end after it.
GRACE = 1.0
#: Lines of output in a report of a failure, and their width: a dump of the stack takes a dozen.
TAIL = 24
WIDTH = 200
#: The cause of what was killed because the campaign stops.
STOPPED = Cause("was stopped", Reason.STOPPED)


@dataclass(frozen=True)
class Outcome:
    """What one process gave: its result, or the cause for having none.

    ``output`` is what it wrote; ``files`` are the figures it drew, by name.
    """

    cause: Cause | None
    result: dict[str, Any] = field(default_factory=dict)
    output: str = ""
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def tail(self) -> str:
        """The last lines of what it wrote."""
        return "\n".join(line[:WIDTH] for line in self.output.splitlines()[-TAIL:])


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
    with tempfile.TemporaryDirectory(prefix="evidence-") as name:
        folder = Path(name).resolve()
        (folder / OUTPUT).touch()
        process = context.Process(target=task, args=(folder,))
        keeper().note(folder, NOBODY)
        process.start()
        try:
            keeper().note(folder, process.pid)
            cause = _await(process, folder / OUTPUT, timeout, stop)
            if not cause and (left := outlast(process.pid, folder, GRACE)):
                cause = Cause(f"left a process running ({left})")
        finally:
            process.kill()  # also when it has no session of its own yet
            immortal = outlast(process.pid, folder, DEATH, kill=True)
            process.join(DEATH)
            keeper().note(folder, None)
        if immortal:
            cause = Cause(f"left a process that cannot be killed ({immortal})")
        return _read(folder, cause, process.exitcode or 0)


@cache
def keeper() -> Guard:
    """What ends the examples of this process, should it be killed."""
    return Guard(_fork_server())


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
    result: dict[str, Any] = {}
    if not cause and (folder / RESULT).exists():
        result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
        cause = msgspec.convert(result.get("cause"), Cause | None)
    elif not cause:
        cause = Cause(_exit_words(exit_code))
    output = (folder / OUTPUT).read_bytes()[:MAX_OUTPUT]
    files = {path.name: path.read_bytes() for path in folder.glob("*.svg")}
    return Outcome(cause, result, output.decode("utf-8", "replace"), files)


def _exit_words(exit_code: int) -> str:
    if exit_code >= 0:
        return f"ended with exit code {exit_code} before its last cell"
    number = -exit_code
    # Real-time signals have no name.
    names = {sign.value: f" ({sign.name})" for sign in signal.Signals}
    ended = f"was ended by signal {number}{names.get(number, '')}"
    if number == signal.SIGKILL:
        return f"{ended}, as by the system when it runs out of memory"
    return ended
