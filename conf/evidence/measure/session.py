"""The processes of an example: finding them, killing them, and a guard that outlives a campaign.

An example is a session of its own. What it starts may leave that session, but still stands in its
scratch folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from multiprocessing import reduction
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path

import psutil

#: Seconds that what was killed may take to die: what waits for a broken driver never does.
DEATH = 20.0
POLL = 0.1
#: The session of an example that is about to start: until it has one, it is known by its folder.
NOBODY = -1


def outlast(session: int, folder: Path, seconds: float, *, kill: bool = False) -> str:
    """Wait until nothing of a session lives; the names of what still does after so long.

    :param kill: kill every process of it, and those that they start meanwhile
    """
    deadline = time.monotonic() + seconds
    while members := _members(session, folder):
        if time.monotonic() > deadline:
            return ", ".join(sorted({process.info["name"] for process in members}))
        for process in members if kill else ():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        time.sleep(POLL / 4)
    return ""


def _members(session: int, folder: Path) -> list[psutil.Process]:
    """The living processes of a session, whichever process groups they made.

    And those that left it for a session of their own: they still stand in the scratch folder.
    """

    def belongs(p: psutil.Process) -> bool:
        try:
            return os.getsid(p.pid) == session or folder in Path(p.cwd()).parents
        except (OSError, psutil.Error):
            return False

    every = psutil.process_iter(["name", "status"])
    return [p for p in every if belongs(p) and p.info["status"] != psutil.STATUS_ZOMBIE]


class Guard:
    """A process that ends when its campaign does, however that ends, and leaves nothing behind.

    No handler runs in a campaign that is killed. The guard sees its end of a pipe close, kills
    the examples that still run, and keeps the locks of their GPUs for as long.
    """

    def __init__(self, context: ForkServerContext) -> None:
        """Start the guard."""
        self._pipe, other = context.Pipe()
        self._turn = threading.Lock()
        context.Process(target=_guard, args=(other,), daemon=True).start()
        other.close()

    def keep(self, lock: int) -> None:
        """Hold this open file too: whoever locks it keeps it until the guard has ended as well."""
        with self._turn:
            self._pipe.send(None)
            reduction.send_handle(self._pipe, lock, os.getpid())

    def note(self, folder: Path, session: int | None) -> None:
        """Know the session of an example by its folder; None says that nothing is left of it."""
        with self._turn:
            self._pipe.send((folder, session))


def _guard(pipe: Connection) -> None:
    """Task of the guard's process."""
    os.setsid()  # Ctrl-C is for the campaign
    running: dict[Path, int] = {}
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            if (news := pipe.recv()) is None:
                # The lock is kept by this process having its file open: nothing closes it.
                reduction.recv_handle(pipe)
                continue
            folder, session = news
            running.pop(folder, None)
            if session is not None:
                running[folder] = session
    for folder, session in running.items():
        outlast(session, folder, DEATH, kill=True)
        shutil.rmtree(folder, ignore_errors=True)
