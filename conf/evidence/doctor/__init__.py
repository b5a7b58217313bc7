"""The doctor: what of this site applies to a stranger's machine, and to his script.

``python -m evidence doctor [SCRIPT]``, or ``python doctor.pyz [SCRIPT]`` without a clone. It needs
the standard library alone, and asks PyTorch where there is one. It sets nothing, and reads a
script without running it.

It ends with 0 if it found nothing that harms, with 1 if it did, and with 2 if it could not tell:
without PyTorch, without a GPU that it can use, or with a script that it cannot read.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

from evidence.doctor import machine
from evidence.doctor.health import health
from evidence.doctor.known import load
from evidence.doctor.report import CANNOT_TELL, Reading, Unread
from evidence.doctor.script_rules import read

#: Seconds that it takes at most, with a GPU and without.
WITH_GPU, WITHOUT = 55.0, 9.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine, report, and give the exit code."""
    options = _options(arguments)
    try:
        known = load(options.claims)
    except (OSError, ValueError) as error:
        print(f"doctor: {options.claims} cannot be read: {error}")
        return CANNOT_TELL
    reading = Reading(known)
    if known.missing:
        reading.take(Unread(known.missing))
    if not options.no_machine:
        examine(reading)
    if options.script:
        reading.take(*read(options.script))
    if options.json:
        print(json.dumps(reading.as_data(), indent=1, default=str))
    else:
        print("\n".join(reading.lines()))
    return reading.exit_code()


def examine(reading: Reading) -> None:
    """Ask the machine, the slowest questions last."""
    deadline = time.monotonic() + (WITH_GPU if machine.has_gpu() else WITHOUT)
    variables = machine.environment(reading.known.findings, os.environ)
    reading.take(*variables)
    machine.survive(reading, "the limit of locked memory", machine.locked_memory)
    machine.survive(reading, str(machine.SHM), machine.shared_memory)
    machine.survive(reading, "the limits of this container", machine.container)
    machine.survive(reading, "the right to trace", machine.tracing)
    machine.survive(reading, "the driver", lambda: machine.driver(reading))
    if "driver" in reading.machine:
        machine.survive(reading, "the clocks", machine.clocks)

    def left() -> float:
        return deadline - time.monotonic()

    machine.survive(reading, "PyTorch", lambda: machine.pytorch(reading, left()))
    if "gpu" in reading.machine:
        machine.survive(reading, "health", lambda: health(reading, left()))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What is asked; a wrong option ends with 2, as argparse does."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser("doctor", description=summary, epilog=rest)
    parser.add_argument("script", nargs="?", type=Path, help="it is read, never run")
    parser.add_argument("--claims", type=Path, metavar="FILE", help="a claims.json")
    parser.add_argument("--json", action="store_true", help="all of it as data")
    parser.add_argument(
        "--no-machine", action="store_true", help="read the script alone"
    )
    return parser.parse_args(arguments)
