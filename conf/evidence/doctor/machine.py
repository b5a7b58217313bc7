"""What the doctor asks of a machine: its variables, its limits, its driver and its PyTorch.

Each probe gives findings, or raises; nothing is set. What ``nvidia-smi`` and ``torch.cuda`` answer,
only a machine with a GPU shows: tests have fakes of both.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evidence.doctor.report import Outcome

SHM, PROC, CGROUP, DEV = map(Path, ("/dev/shm", "/proc", "/sys/fs/cgroup", "/dev"))
MIB, GIB = 2**20, 2**30
#: Linux gives 8 MiB of memory that may be locked.
SMALL_LOCKED = 8 * MIB
#: Docker gives 64 MiB of shared memory, which a few batches fill.
SMALL_SHM = GIB
#: What a driver may hold on an idle GPU, and more.
UNEXPLAINED = 2 * GIB
#: The driver's reasons for a clock that are a bad sign.
HARMFUL = {
    0x08: "the hardware",
    0x20: "heat (driver)",
    0x40: "heat (hardware)",
    0x80: "the power supply",
}
GPU = "index,uuid,driver_version,memory.total,memory.used,clocks_event_reasons.active"
PROCESS = "gpu_uuid,pid,used_memory,process_name"
#: The number of this system call, on all platforms.
PIDFD_GETFD = 438


def has_gpu() -> bool:
    """Whether the kernel shows an NVIDIA GPU, whatever PyTorch says."""
    return any(DEV.glob("nvidia[0-9]*")) or (DEV / "dxg").exists()


def size(number: float) -> str:
    """Bytes in words."""
    if number < GIB:
        return f"{number / MIB:.3g} MiB"
    return f"{number / GIB:.4g} GiB"


def variables(texts: dict[str, Any], environ: Mapping[str, str]) -> Iterator[Outcome]:
    """What is known of the variables that are set."""
    for name, text in texts.items():
        for variable in text.get("variables", ()):
            value = environ.get(variable)
            if (
                value is not None
                and re.fullmatch(text.get("value", ".*"), value, re.DOTALL)
                and all(other in environ for other in text.get("with", ()))
            ):
                yield name, {"variable": variable, "value": value}


def locked_memory() -> Iterator[Outcome]:
    """How much memory this process may lock."""
    import resource  # not on Windows

    limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    if limit != resource.RLIM_INFINITY and limit < SMALL_LOCKED:
        yield "locked-memory-is-limited", {"limit": size(limit)}


def shared_memory() -> Iterator[Outcome]:
    """How much of the memory that processes share is free."""
    free = shutil.disk_usage(SHM).free
    if free < SMALL_SHM:
        yield "shared-memory-is-small", {"path": str(SHM), "free": size(free)}


def container() -> Iterator[Outcome]:
    """What its control groups let this process have: memory, and cores."""
    total = int((PROC / "meminfo").read_text().split()[1]) * 1024
    groups = re.findall(r"^\d+:.*?:/(.*)$", (PROC / "self/cgroup").read_text(), re.M)
    folders = {CGROUP, CGROUP / "memory"}
    for path in map(Path, groups):
        folders |= {CGROUP / part for part in (path, *path.parents)}
    limits = _limits(folders, "memory.max", "memory.limit_in_bytes")
    limit = min([total, *(numbers[0] for numbers in limits)])
    if limit < total:
        yield "memory-is-limited", {"limit": size(limit), "total": size(total)}
    cores, every = float(len(os.sched_getaffinity(0))), os.cpu_count() or 1
    for quota, period in _limits(folders, "cpu.max"):
        cores = min(cores, quota / period)
    if cores < min(4, every):
        yield "few-cores", {"cores": f"{cores:.3g}", "all": every}


def _limits(folders: set[Path], *names: str) -> Iterator[list[int]]:
    """The numbers in files of each control group; one without a limit says ``max``."""
    for path in (folder / name for folder in folders for name in names):
        if path.is_file() and not (text := path.read_text()).startswith("max"):
            yield [int(number) for number in text.split()]


def tracing() -> Iterator[Outcome]:
    """Whether this process may take a file of its parent, as who reads a shared segment does."""
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.pidfd_open(os.getppid())
    taken = libc.syscall(PIDFD_GETFD, parent, 0, 0)
    os.close(parent)
    if taken >= 0:
        os.close(taken)
    elif ctypes.get_errno() == errno.EPERM:
        yield "may-not-trace", {}


def run(command: list[str], seconds: float, given: str = "") -> tuple[list[str], str]:
    """The whole lines that a program prints before it ends, and why that is not all.

    :param given: what it reads
    """
    why = ""
    # Files, not pipes: one that hangs in the driver does not even end when it is killed.
    with tempfile.TemporaryFile() as inp, tempfile.TemporaryFile() as out:
        inp.write(given.encode())
        inp.seek(0)
        process = subprocess.Popen(
            command, stdin=inp, stdout=out, stderr=out, start_new_session=True
        )
        try:
            if code := process.wait(max(seconds, 0.1)):
                why = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        except subprocess.TimeoutExpired:
            why = f"no answer within {seconds:.0f} s"
        finally:
            # There are no process groups on Windows.
            with contextlib.suppress(
                OSError, AttributeError, subprocess.TimeoutExpired
            ):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(2)
        out.seek(0)
        *lines, _ = out.read().decode(errors="replace").split("\n")
    return [line for line in lines if line.strip()], why


def query(what: str, fields: str) -> list[list[str]]:
    """What the driver's own program answers of the visible GPUs, in rows.

    :raises OSError: when it fails, or does not answer
    """
    asked = [f"--query-{what}={fields}", "--format=csv,noheader,nounits"]
    if visible := os.environ.get("CUDA_VISIBLE_DEVICES"):
        asked.append(f"--id={visible}")
    lines, why = run(["nvidia-smi", *asked], 8)
    if why:
        raise OSError(f"nvidia-smi: {why}: {' '.join(lines[:1])}")
    rows = [line.split(", ") for line in lines]
    return [row for row in rows if len(row) == fields.count(",") + 1]


def driver(machine: dict[str, Any]) -> Iterator[Outcome]:
    """Who has the GPUs, and whether their clocks are slowed, before PyTorch takes its part."""
    if not shutil.which("nvidia-smi"):
        yield "the driver: there is no nvidia-smi"
        return
    processes: dict[str, list[str]] = {}
    for uuid, pid, used, path in query("compute-apps", PROCESS):
        processes.setdefault(uuid, []).append(f"{pid} ({Path(path).name}, {used} MiB)")
    for index, uuid, version, total, used, bits in query("gpu", GPU):
        machine["driver"] = version
        told = int(bits, 16) if bits.startswith("0x") else 0
        reasons = [name for bit, name in HARMFUL.items() if told & bit]
        if reasons:
            words = {"index": index, "reasons": " and ".join(reasons)}
            yield "clock-is-slowed", words
        if uuid in processes:
            words = {"index": index, "processes": ", ".join(processes[uuid])}
            yield "another-process-computes", words
        elif used.isdigit() and int(used) * MIB > UNEXPLAINED:
            words = {"used": size(int(used) * MIB), "total": size(int(total) * MIB)}
            yield "memory-is-taken", {"index": index, **words}
