"""Examples that fail, each in a way of its own, and what must be said of each."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evidence.measure import Reason
from evidence.measure.child import enter, write_result
from scripts import write

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "the last words"

#: Notes who lives, in a file of the example's own; then it speaks.
FIRST_CELL = """
import os
import time

def note(what, number):
    with open({notes!r}, "a") as file:
        print(what, number, file=file)

note("pid", os.getpid())
print({words!r})
"""

START = "import subprocess\nchild = subprocess.Popen(['sleep', '600']{how})\n"
LEAVE = START + "note('pid', child.pid)\nchild.returncode = 0\nmeasured = {{'x': 1}}"
FORK = """
child = os.fork()
if not child:
    time.sleep(600)
    os._exit(0)
note('pid', child)
measured = {'x': 1}
"""
HANG = "time.sleep(600)"
LINES = "for _ in range(50):\n    print(('y' * 99 + '\\n') * 10_000)\n"
SEGFAULT = "was ended by signal 11 (Segmentation fault)"
NO_MEASURED = "the last cell must leave a dict `measured` with at least one value"
NO_VALUE = (
    "is no number, boolean, string, exception, "
    'Measurement, {"samples": [...]} or {"table": [...]}'
)


@dataclass(frozen=True)
class Dying:
    """An example that gives no record.

    :param code: its second cell
    :param cause: what is said of it; LINE is the number of the last line, ... what varies
    :param tail: what the last lines of its output hold
    """

    code: str
    cause: str
    reason: Reason = Reason.ERROR
    tail: str = WORDS
    settings: dict[str, Any] = field(default_factory=dict)


def _wrong(value: str, message: str) -> Dying:
    return Dying(f"measured = {value}", f"raised MeasuredError: {message}")


#: Seconds. It says where it hangs after nine tenths of them, counted from when it runs; a busy
#: machine needed the last tenth of 2 s to start it.
PATIENCE = 8
HANGS: dict[str, Any] = {"settings": {"timeout": PATIENCE}}
STILL = f"was still running after {PATIENCE} s"

DYING = {
    "raises": Dying(
        "raise ValueError('no luck')",
        "raised ValueError: no luck in line LINE: raise ValueError('no luck')",
    ),
    "raises_below": Dying(
        "import json\njson.loads('{')",
        "raised JSONDecodeError: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1) in line LINE: json.loads('{')",
    ),
    "skips": Dying(
        "import unittest\nraise unittest.SkipTest('no compiler')",
        "raised SkipTest: no compiler in line LINE: raise unittest.SkipTest('no compiler')",
        Reason.SKIPPED,
    ),
    "fills_the_gpu": Dying(
        "class OutOfMemoryError(RuntimeError): pass\nraise OutOfMemoryError",
        "raised OutOfMemoryError in line LINE: raise OutOfMemoryError",
        Reason.OUT_OF_MEMORY,
    ),
    "is_called_alike": Dying(
        "class SkipTests(Exception): pass\nraise SkipTests('raised SkipTest')",
        "raised SkipTests: raised SkipTest in line LINE: raise SkipTests('raised SkipTest')",
    ),
    "exits": Dying("import sys\nsys.exit(0)", "called sys.exit(0) in line LINE"),
    "leaves": Dying("os._exit(0)", "ended with exit code 0 before its last cell"),
    "leaves_with_3": Dying(
        "os._exit(3)", "ended with exit code 3 before its last cell"
    ),
    "segfaults": Dying("import signal\nos.kill(os.getpid(), signal.SIGSEGV)", SEGFAULT),
    "reads_null": Dying("import ctypes\nctypes.string_at(0)", SEGFAULT),
    "aborts": Dying("os.abort()", "was ended by signal 6 (Aborted)"),
    "is_killed": Dying(
        "os.kill(os.getpid(), 9)",
        "was ended by signal 9 (Killed)",
    ),
    "asks_for_too_much_memory": Dying(
        "much = bytearray(2**60)",
        "raised MemoryError in line LINE: much = bytearray(2**60)",
    ),
    "runs_out_of_memory": Dying(
        "import psutil, resource\n"
        "limit = psutil.Process().memory_info().vms + 2**29\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "hoard = []\n"
        "while True: hoard.append(bytearray(2**26))",
        "raised MemoryError in line LINE: while True: hoard.append(bytearray(2**26))",
    ),
    "hangs": Dying(HANG, STILL, **HANGS),
    "hangs_with_child": Dying(
        START.format(how="") + "note('pid', child.pid)\n" + HANG,
        STILL,
        **HANGS,
    ),
    "orphan": Dying(LEAVE.format(how=""), "left a process running (sleep)"),
    "orphan_in_group": Dying(
        LEAVE.format(how=", process_group=0"), "left a process running (sleep)"
    ),
    "orphan_in_session": Dying(
        LEAVE.format(how=", start_new_session=True"),
        "left a process running (sleep)",
    ),
    "orphan_of_the_dead": Dying(
        START.format(how="") + "note('pid', child.pid)\nos._exit(0)",
        "left a process running (sleep)",
    ),
    "orphan_forked": Dying(FORK, "left a process running (python..."),
    "orphan_of_fresh": Dying(
        FORK,
        "left a process running (python...",
        settings={"fresh": True, "timeout": 10},
    ),
    "floods": Dying(LINES + HANG, "wrote more than 1 MB of output", tail="y" * 99),
    "floods_and_ends": Dying(
        LINES + "measured = {'x': 1}", "wrote more than 1 MB of output", tail="y" * 99
    ),
    "floods_one_line": Dying(
        "print('z' * 50_000_000)", "wrote more than 1 MB of output", tail="zzz"
    ),
    "no_measured": Dying("print('done')", f"raised MeasuredError: {NO_MEASURED}"),
    "no_dict": _wrong("[1, 2]", NO_MEASURED),
    "bare_list": _wrong("{'x': [1, 2]}", f"measured['x']: [1, 2] {NO_VALUE}"),
    "not_a_number": _wrong("{'x': float('nan')}", "measured['x']: nan is too large..."),
    "no_plain_data": _wrong("{'x': {1, 2}}", f"measured['x']: {{1, 2}} {NO_VALUE}"),
    "no_text": _wrong(
        "{'x': '\\udc80'}", "measured['x']: 'utf-8' codec can't encode..."
    ),
    "same_rows": _wrong(
        "{'t': {'table': [{'n': 1}, {'n': 1}]}}",
        "measured['t']: two rows of a table share the address n=1",
    ),
    "differs": Dying(
        "measured = {'x': os.getpid()}",
        "gave no record: x differs between processes (...",
        settings={"processes": 2},
    ),
    "warns": Dying(
        "import warnings\nwarnings.warn('careful', UserWarning)",
        "raised UserWarning: careful in line LINE: "
        "warnings.warn('careful', UserWarning)",
    ),
}


def write_dying(folder: Path, stem: str) -> Path:
    """Write one of these examples; it notes what it does in ``<stem>.notes``."""
    dying = DYING[stem]
    first = FIRST_CELL.format(notes=str(notes(folder, stem)), words=WORDS)
    return write(folder, stem, first, dying.code, **dying.settings)


def notes(folder: Path, stem: str) -> Path:
    """Where an example notes the ids of its processes."""
    return folder / f"{stem}.notes"


# Tasks for a process, which must be importable there.


def answer(folder: Path, value: int) -> None:
    enter(folder, ["3", "1"], 30)
    seen = {name: os.environ[name] for name in sorted(os.environ) if "CUDA" in name}
    write_result(folder, {"value": value, "pid": os.getpid(), "seen": seen})


def forget(folder: Path) -> None:
    enter(folder, None, 30)
    print(WORDS)


def die_of_real_time_signal(folder: Path) -> None:
    enter(folder, None, 30)
    os.kill(os.getpid(), 40)


def linger(folder: Path) -> None:
    """Leave a thread that ends soon, and a process that does."""
    enter(folder, None, 30)
    if not os.fork():
        time.sleep(0.3)
        os._exit(0)
    threading.Timer(0.2, write_result, [folder, {"value": 1}]).start()
