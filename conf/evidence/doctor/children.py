"""What may crash or hang runs in a process of its own: PyTorch, the driver, and the examples.

A function here is named by the process that asks, and yields data, each as a line of JSON. What
was yielded before a crash, or before the time is over, is kept.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import unittest
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from evidence.doctor.known import HOME

BOOT = (
    "import sys; sys.path[0] = sys.argv[1];"
    "from evidence.doctor.children import answer; answer(sys.argv[2])"
)


def ask(
    function: str, seconds: float, given: object = None
) -> tuple[list[dict[str, Any]], str]:
    """What a function of this module yields in a process of its own, and why it ended early."""
    command = [sys.executable, "-c", BOOT, str(HOME), function]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    why = ""
    try:
        out, err = process.communicate(json.dumps(given), max(seconds, 0.1))
    except subprocess.TimeoutExpired:
        why = f"no answer within {seconds:.0f} s"
        out, err = _killed(process)
    finally:
        _end(process)
    # The last line may be cut off.
    whole = out.rpartition("\n")[0].split("\n")
    told = [json.loads(line[1:]) for line in whole if line[:1] == "\0"]
    if not why and process.returncode:
        last = [line.strip() for line in err.splitlines() if line.strip()][-1:]
        why = last[0] if last else f"its process ended with {process.returncode}"
        if process.returncode < 0:
            why = f"its process was ended by {signal.Signals(-process.returncode).name}"
    return told, why


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and all that it started, if it still runs."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _killed(process: subprocess.Popen[str]) -> tuple[str, str]:
    """End a process, and what it has said; one that hangs in the driver is left alone."""
    _end(process)
    try:
        return process.communicate(timeout=2)
    except subprocess.TimeoutExpired:
        return "", ""


def answer(function: str) -> None:
    """Run a function of this module in this process; what else is printed goes to stderr."""
    given = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for data in FUNCTIONS[function](given):
        print("\0" + json.dumps(data), file=out, flush=True)


def pytorch(_: object) -> Iterator[dict[str, Any]]:
    """What this PyTorch is, what it says of its GPUs, and why it has none."""
    import torch

    hip = getattr(torch.version, "hip", None) or ""
    yield {"torch": torch.__version__, "cuda": torch.version.cuda or "", "hip": hip}
    if hip or not torch.version.cuda:
        return
    try:
        torch.cuda.init()
        count = torch.cuda.device_count()
    except Exception as error:
        yield {"error": first_line(error)}
        return
    yield {"gpus": count, "built": torch.cuda.get_arch_list()}
    every = [torch.cuda.get_device_properties(index) for index in range(count)]
    yield {"devices": [{"name": p.name, "sm": f"{p.major}.{p.minor}"} for p in every]}
    pairs = [*permutations(range(count), 2)]
    missing = sum(not torch.cuda.can_device_access_peer(*pair) for pair in pairs)
    yield {"pairs": len(pairs), "missing": missing}


def health(scripts: dict[str, str]) -> Iterator[dict[str, Any]]:
    """What each example measures: a number, or the middle of its samples."""
    for stem, source in scripts.items():
        names: dict[str, Any] = {"__name__": stem}
        try:
            exec(compile(source, f"{stem}.py", "exec"), names)
        except unittest.SkipTest as reason:
            yield {"stem": stem, "skipped": first_line(reason)}
        except Exception as error:
            yield {"stem": stem, "error": first_line(error)}
        else:
            middles = {name: _middle(v) for name, v in names["measured"].items()}
            yield {"stem": stem, "measured": middles}


def _middle(value: Any) -> Any:
    return statistics.median(value["samples"]) if isinstance(value, dict) else value


def first_line(error: BaseException) -> str:
    """The kind of an exception, and the first line of its message."""
    text = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {text}".rstrip(": ")


def tracing(_: object) -> Iterator[dict[str, Any]]:
    """Whether this process may take a file descriptor of its parent, as a reader of a segment."""
    pidfd = os.pidfd_open(os.getppid())
    libc = ctypes.CDLL(None, use_errno=True)
    taken = libc.syscall(438, pidfd, 0, 0)  # pidfd_getfd: the number is that of all platforms
    yield {"error": os.strerror(ctypes.get_errno()) if taken < 0 else ""}


def architectures(names: list[str], capability: str) -> bool:
    """Whether code that was built for these runs on a GPU, by CUDA's rules of compatibility."""
    here = tuple(map(int, capability.split(".")))
    for name in names:
        match = re.fullmatch(r"(sm|compute)_(\d+)(\d)([af]?)", name)
        built = (int(match[2]), int(match[3])) if match else (0, 0)
        if match and (
            (here == built)
            or (match[1] == "compute" and not match[4] and built <= here)
            or (match[1] == "sm" and match[4] != "a" and built <= here < (built[0] + 1,))
        ):
            return True
    return False


FUNCTIONS = {"pytorch": pytorch, "health": health, "tracing": tracing}
