"""Progress: written over on a terminal, one line after another everywhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

SCRIPT = """
from evidence.commands import clear, tell
tell("copy: first of 2")
tell("second " + "x" * 200)
clear()
print("copy: recorded", flush=True)
"""


def test_off_a_terminal_each_line_stays() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONPATH": "conf"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ["  copy: first of 2", "  second " + "x" * 200] == done.stderr.splitlines()
    assert "copy: recorded\n" == done.stdout


def test_on_a_terminal_one_line_is_written_over() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": "conf", "COLUMNS": "40"}
    subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=environment,
        stdout=theirs,
        stderr=theirs,
        check=True,
    )
    os.close(theirs)
    seen = os.read(ours, 10_000).decode()
    os.close(ours)
    erase = "\r\x1b[K"
    cut = "second " + "x" * 32
    expected = f"{erase}copy: first of 2{erase}{cut}{erase}copy: recorded\r\n"
    assert expected == seen
