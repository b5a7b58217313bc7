"""Locks between processes: a GPU is lent to one campaign at a time, a site built by one build.

The kernel keeps the lock of an open file until it is released, or no process has the file open any
more: so nobody needs to clean up behind a process that was killed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:
    # Windows, where nothing is measured: two builds at once are not noticed.
    fcntl = None  # type: ignore[assignment]

#: Seconds between two looks at a lock that another process holds.
POLL = 0.2


@contextmanager
def hold(
    file: int,
    tell: Callable[[], object],
    stop: Callable[[], bool] = bool,
    *,
    shared: bool = False,
) -> Iterator[None]:
    """Lock an open file; where another process has locked it, tell that once, and wait.

    Where ``stop`` ends the waiting it is not locked.

    :param shared: others may have a shared lock of it as well, each by a file that it opened
    """
    told = False
    while not _try(file, shared=shared) and not stop():
        if not told:
            tell()
            told = True
        time.sleep(POLL)
    try:
        yield
    finally:
        # Other processes may have the file open, too: closing it here would not be enough.
        fcntl.flock(file, fcntl.LOCK_UN)


def _try(file: int, *, shared: bool) -> bool:
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def hold_folder(folder: Path, tell: Callable[[], object]) -> Iterator[None]:
    """Lock a folder, which is done alone: see :func:`hold`."""
    if fcntl is None:
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        with hold(file, tell):
            yield
    finally:
        os.close(file)
