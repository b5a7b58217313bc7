"""The doctor: what of this site applies to a stranger's machine, and to his script.

``python -m evidence doctor [SCRIPT]``, or ``python doctor.pyz [SCRIPT]`` without a clone. It needs
the standard library alone, and asks PyTorch where there is one. It sets nothing, and reads a
script without running it.

It ends with 0 if it found nothing that harms, with 1 if it did, and with 2 if it cannot tell:
there is no PyTorch, no GPU that it can use, or what it was given cannot be read.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from evidence.doctor import machine
from evidence.doctor.known import claims, findings_and_scripts
from evidence.doctor.pytorch import pytorch
from evidence.doctor.report import Report
from evidence.doctor.script_rules import find

#: Seconds that it takes at most, with a GPU and without.
WITH_GPU, WITHOUT = 55.0, 9.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine, report, and give the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser("doctor", description=summary, epilog=rest)
    parser.add_argument("script", nargs="?", type=Path, help="it is read, never run")
    parser.add_argument("--claims", type=Path, metavar="FILE", help="a claims.json")
    parser.add_argument("--json", action="store_true", help="all of it as data")
    parser.add_argument("--no-machine", action="store_true", help="the script alone")
    given = parser.parse_args(arguments)
    report = Report(**findings_and_scripts())
    report.can_tell = report.take("claims.json", claims(report, given.claims))
    if not given.no_machine:
        examine(report)
    if given.script:
        outcomes = find(given.script, report.findings)
        report.can_tell &= report.take(str(given.script), outcomes)
    data = json.dumps(report.data(), indent=1)
    text = data if given.json else "\n".join(report.lines())
    # A terminal without Unicode shows what it can.
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))
    return report.exit_code()


def examine(report: Report) -> None:
    """Ask the machine, the slowest question last."""
    deadline = time.monotonic() + (WITH_GPU if machine.has_gpu() else WITHOUT)
    report.machine["python"] = platform.python_version()
    report.take("variables", machine.variables(report.findings, os.environ))
    report.take("the limit of locked memory", machine.locked_memory())
    report.take("the memory that processes share", machine.shared_memory())
    report.take("the limits of a container", machine.container())
    report.take("the right to trace", machine.tracing())
    report.take("the driver", machine.driver(report.machine))
    report.take("PyTorch", pytorch(report, deadline - time.monotonic()))
