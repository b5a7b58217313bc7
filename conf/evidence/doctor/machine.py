"""What the doctor asks of a machine: its limits, its driver, its PyTorch, and its environment.

Each probe gives findings, and sentences on what it could not read; none sets anything. What only
a machine with a GPU can show is what ``nvidia-smi`` and ``torch.cuda`` answer there: tests give
their answers by fakes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from evidence.doctor.children import architectures, ask
from evidence.doctor.report import Found, Reading, Unread

Outcomes: TypeAlias = "Iterable[Found | Unread]"

SHM, PROC, CGROUP, DEVICES = (
    *(Path("/dev/shm"), Path("/proc"), Path("/sys/fs/cgroup")),
    Path("/dev"),
)
MIB, GIB = 2**20, 2**30
#: Less than this in /dev/shm is soon full: Docker gives 64 MiB.
SMALL_SHM = GIB
#: Taken memory that no process explains, beyond what a driver holds on an idle GPU.
UNEXPLAINED = 2 * GIB
#: The driver's reasons for a clock that are no good sign; the others are how a GPU should work.
HARMFUL = {
    0x08: "the hardware",
    0x20: "heat (driver)",
    0x40: "heat (hardware)",
    0x80: "the power supply",
}
GPU_FIELDS = "index,uuid,driver_version,memory.total,memory.used"
CLOCK_FIELDS = "index,clocks_event_reasons.active"
PROCESS_FIELDS = "gpu_uuid,pid,used_memory,process_name"


def survive(reading: Reading, name: str, probe: Callable[[], Outcomes]) -> None:
    """Take what a probe finds; whatever it raises is one sentence."""
    try:
        reading.take(*probe())
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        reading.take(Unread(f"could not read {name}: {reason}"))


def has_gpu() -> bool:
    """Whether the kernel shows an NVIDIA GPU, whatever PyTorch says."""
    return any(DEVICES.glob("nvidia[0-9]*")) or (DEVICES / "dxg").exists()


def size(number: float) -> str:
    """Bytes in words."""
    unit, name = (GIB, "GiB") if number >= GIB else (MIB, "MiB")
    return f"{number / unit:.3g} {name}" if number >= MIB else f"{number / 1024:.3g} KiB"


def environment(
    findings: Mapping[str, Mapping[str, Any]], variables: Mapping[str, str]
) -> Iterator[Found]:
    """What is known of the variables that are set."""
    for name, finding in findings.items():
        names = finding.get("variable", ())
        for variable in [names] if isinstance(names, str) else names:
            value = variables.get(variable)
            if (
                value is not None
                and re.fullmatch(finding.get("value", ".*"), value, re.DOTALL)
                and all(other in variables for other in finding.get("with", ()))
                and not any(other in variables for other in finding.get("without", ()))
            ):
                yield Found(name, {"variable": variable, "value": value})


def locked_memory() -> Iterator[Found]:
    """How much memory this process may lock."""
    import resource  # not on Windows

    limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    if limit != resource.RLIM_INFINITY:
        yield Found("locked-memory-is-limited", {"limit": size(limit)})


def shared_memory() -> Iterator[Found]:
    """How much of the memory that processes share is free."""
    free = shutil.disk_usage(SHM).free
    if free < SMALL_SHM:
        yield Found("shared-memory-is-small", {"path": SHM, "free": size(free)})


def container() -> Iterator[Found]:
    """The limits of this process's control groups: memory, and cores."""
    meminfo = (PROC / "meminfo").read_text()
    total = int(re.search(r"MemTotal:\s*(\d+)", meminfo)[1]) * 1024  # type: ignore[index]
    paths = re.findall(r"^\d+:[^:]*:(.*)$", (PROC / "self/cgroup").read_text(), re.M)
    folders = {CGROUP, CGROUP / "memory"}
    for path in (Path(path.lstrip("/")) for path in paths):
        folders |= {CGROUP / part for part in (path, *path.parents)}
    limits = [*_numbers(folders, "memory.max"), *_numbers(folders, "memory.limit_in_bytes")]
    limit = min((numbers[0] for numbers in limits), default=total)
    if limit < total:
        yield Found("memory-is-limited", {"limit": size(limit), "total": size(total)})
    every = os.cpu_count() or 1
    shares = [two[0] / two[1] for two in _numbers(folders, "cpu.max")]
    cores = min([len(os.sched_getaffinity(0)), *shares])
    if cores < min(4, every):
        yield Found("few-cores", {"cores": f"{cores:.3g}", "all": every})


def _numbers(folders: Iterable[Path], name: str) -> Iterator[list[int]]:
    """The numbers in a file of some control groups; one without a limit has none."""
    for path in (folder / name for folder in folders):
        if path.is_file() and not (text := path.read_text()).startswith("max"):
            yield [int(number) for number in text.split()]


def tracing() -> Outcomes:
    """Whether a reader of a shared expandable segment would have the permission it needs."""
    told, why = ask("tracing", 5)
    if why or not told:
        return [Unread(f"could not try pidfd_getfd: {why}")]
    return [Found("may-not-trace")] if told[0]["error"] else []


def query(what: str, fields: str) -> list[list[str]]:
    """What the driver's own program answers, in rows.

    :raises OSError: when there is no such program, or it fails, or does not end
    """
    command = ["nvidia-smi", f"--query-{what}={fields}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=8
        )
    except FileNotFoundError:
        raise OSError("there is no nvidia-smi") from None
    except subprocess.TimeoutExpired:
        raise OSError("nvidia-smi does not answer: the driver may hang") from None
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines() or ["no message"]
        raise OSError(f"nvidia-smi failed: {said[0]}")
    rows = [line.split(", ") for line in done.stdout.splitlines() if line.strip()]
    return [row for row in rows if len(row) == fields.count(",") + 1]


def driver(reading: Reading) -> Iterator[Found]:
    """Who has the GPUs, by the driver, before PyTorch takes a part."""
    gpus = query("gpu", GPU_FIELDS)
    if gpus:
        reading.machine["driver"] = gpus[0][2]
    busy: dict[str, list[str]] = {}
    for uuid, pid, used, name in query("compute-apps", PROCESS_FIELDS):
        busy.setdefault(uuid, []).append(f"{pid} ({Path(name).name}, {used} MiB)")
    for index, uuid, _, *memory in gpus:
        words: dict[str, Any] = {"index": index}
        if uuid in busy:
            words["processes"] = ", ".join(busy[uuid])
            yield Found("another-process-computes", words)
        elif all(number.isdigit() for number in memory):
            total, used = (int(number) * MIB for number in memory)
            if used > UNEXPLAINED:
                words |= {"used": size(used), "total": size(total)}
                yield Found("memory-is-taken", words)


def clocks() -> Iterator[Found]:
    """Whether heat or the power supply lowers a clock, by the driver."""
    for index, bits in query("gpu", CLOCK_FIELDS):
        if bits.startswith("0x"):
            why = [name for bit, name in HARMFUL.items() if int(bits, 16) & bit]
            if why:
                words = {"index": index, "reasons": " and ".join(why)}
                yield Found("clock-is-slowed", words)


def pytorch(reading: Reading, seconds: float) -> Iterator[Found | Unread]:
    """What PyTorch says of itself and of its GPUs; what it says is noted for scopes."""
    told, why = ask("pytorch", seconds)
    view: dict[str, Any] = {key: value for part in told for key, value in part.items()}
    known = ("torch", "cuda", "gpus")
    reading.machine |= {name: view[name] for name in known if name in view}
    if "torch" not in view:
        yield Unread(f"there is no PyTorch to ask: {why}", essential=True)
    elif view["hip"]:
        yield Unread("this PyTorch is built for AMD's GPUs, of which the site measured none", True)
    elif not view["cuda"]:
        yield Unread(f"this PyTorch, {view['torch']}, is built without CUDA", essential=True)
        if has_gpu():
            yield Found("built-without-cuda", view)
    elif os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        yield Found("no-gpu-is-visible")
    elif "devices" not in view:
        reason = view.get("error") or why or "it says nothing"
        yield Unread(f"PyTorch cannot use a GPU: {reason}", essential=True)
    else:
        yield from _devices(reading, view, why)


def _devices(
    reading: Reading, view: Mapping[str, Any], why: str
) -> Iterator[Found | Unread]:
    """What there is to say of GPUs that PyTorch can use."""
    for index, device in enumerate(view["devices"]):
        if not index:
            reading.machine |= {"gpu": device["name"], "capability": device["sm"]}
        if view["built"] and not architectures(view["built"], device["sm"]):
            words = {"index": index, "name": device["name"]}
            words |= {"built": ", ".join(view["built"])}
            words |= {"capability": device["sm"].replace(".", "")}
            yield Found("no-kernels-for-this-gpu", words)
    if view.get("missing"):
        yield Found("no-peer-access", view)
    if why:
        yield Unread(f"PyTorch ended early: {why}")
