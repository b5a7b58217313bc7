"""The machine's fingerprint, and the state of its GPUs and cores while it measures.

What asks torch runs in a child process; what asks the driver may run anywhere.
"""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The clock of the streaming multiprocessors, as the driver numbers it.
_SM = 1
_THROTTLE = "nvmlClocksThrottleReason"
_CPUINFO = Path("/proc/cpuinfo")
_STAT = Path("/proc/stat")
#: Seconds that the driver may still list the process that had a GPU before.
LINGER = 2.0
_CORES = Path("/sys/devices/system/cpu")
#: Where a line of _STAT has the time that the hypervisor gave to others; guests' times follow,
#: which the first two hold already.
_STEAL = 7
#: Reasons for a clock that do not slow a GPU down at its work.
_HARMLESS = ("All", "None", "GpuIdle", "ApplicationsClocksSetting", "UserDefinedClocks")


def fingerprint() -> dict[str, Any]:
    """The fields of a :class:`~evidence.records.model.Builder` that this machine knows."""
    cpu = _first_cpu()
    is_guest = "hypervisor" in cpu.get("flags", "").split()
    fields: dict[str, Any] = {
        "python": platform.python_version(),
        "cpu": cpu.get("model name", platform.machine()),
        "cores": os.cpu_count() or 0,
        "kernel": platform.release(),
        "virtualisation": "virtual machine" if is_guest else "none seen",
    }
    try:
        import torch
    except ImportError:
        return fields
    fields["torch"] = torch.__version__
    fields["packed"] = _packed(Path(torch.__file__).with_name("PACKED"))
    if torch.cuda.is_available():
        visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0")
        fields |= _torch_view(torch) | driver_view(visible)
    return fields


def _packed(note: Path) -> str:
    """What stands in the note that whoever cut a PyTorch down left in its folder; else nothing."""
    return note.read_text(encoding="utf-8").strip() if note.exists() else ""


def _torch_view(torch: Any) -> dict[str, Any]:
    properties = torch.cuda.get_device_properties(0)
    cudnn = torch.backends.cudnn.version() or 0
    # 91900 stands for 9.19.0 since cuDNN 9.
    version = f"{cudnn // 10000}.{cudnn // 100 % 100}.{cudnn % 100}"
    return {
        "gpu": properties.name,
        "gpus": torch.cuda.device_count(),
        "gpu_memory_bytes": properties.total_memory,
        "capability": f"{properties.major}.{properties.minor}",
        "cuda": torch.version.cuda or "",
        "cudnn": version if cudnn else "",
    }


def driver_view(visible: str) -> dict[str, Any]:
    """What the driver says of the first visible GPU; 0 and empty where it does not tell."""
    gpu = _handle(visible.partition(",")[0])
    return {
        "driver": _ask("SystemGetDriverVersion") or "",
        "pcie_generation": _ask("DeviceGetCurrPcieLinkGeneration", gpu) or 0,
        "pcie_width": _ask("DeviceGetCurrPcieLinkWidth", gpu) or 0,
    }


@dataclass(frozen=True)
class Place:
    """A GPU of the machine: its index as a name, its UUID, and the cores that are near it."""

    index: str
    uuid: str
    near: Collection[int] = ()

    def is_called(self, gpu: str) -> bool:
        """Whether ``CUDA_VISIBLE_DEVICES`` spells it so: a UUID may be cut short there."""
        return gpu == self.index or (bool(gpu) and self.uuid.startswith(gpu))


def places() -> list[Place]:
    """Every GPU of the machine, visible or not; none where the driver does not tell."""
    gpus = []
    for index in range(_ask("DeviceGetCount") or 0):
        gpu = _handle(str(index))
        words = _ask("DeviceGetCpuAffinity", gpu, (os.cpu_count() or 1) // 64 + 1) or ()
        mask = sum(word << 64 * i for i, word in enumerate(words))
        near = {core for core in range(mask.bit_length()) if mask >> core & 1}
        gpus.append(Place(str(index), _ask("DeviceGetUUID", gpu) or str(index), near))
    return gpus


def siblings(core: int) -> int:
    """The first of the threads of the processor's core that this one is a thread of."""
    path = _CORES / f"cpu{core}" / "topology" / "thread_siblings_list"
    return int(re.split("[-,]", path.read_text())[0]) if path.exists() else core


def occupied(gpus: Sequence[str]) -> str:
    """Why these GPUs cannot be measured now: another program computes on one, and goes on."""
    deadline = time.monotonic() + LINGER
    while shared := [gpu for gpu in gpus if _is_used(gpu)]:
        if time.monotonic() > deadline:
            return f"was not run: another program computes on GPU {', '.join(shared)}"
        time.sleep(LINGER / 20)
    return ""


def _is_used(gpu: str) -> bool:
    """Whether a process computes on a GPU, as far as the driver tells here."""
    return bool(_ask("DeviceGetComputeRunningProcesses", _handle(gpu)))


def cpu_time(cores: Collection[int]) -> tuple[int, int]:
    """What of these cores' time since the start the hypervisor gave to others, and all of it."""
    stolen = total = 0
    for line in _STAT.read_text().splitlines() if _STAT.exists() else ():
        name, *times = line.split()
        if name.removeprefix("cpu").isdigit() and int(name[3:]) in cores:
            stolen += int(times[_STEAL])
            total += sum(map(int, times[: _STEAL + 1]))
    return stolen, total


def gpu_state(name: str) -> dict[str, Any]:
    """SM clock and throttle reasons of a GPU now, as fields of a record's process."""
    gpu = _handle(name)
    megahertz = _ask("DeviceGetClockInfo", gpu, _SM) or 0
    throttle = []
    if reasons := _ask("DeviceGetCurrentClocksThrottleReasons", gpu):
        import pynvml

        for constant in dir(pynvml):
            reason = constant.removeprefix(_THROTTLE)
            is_reason = reason != constant and reason not in _HARMLESS
            if is_reason and reasons & getattr(pynvml, constant):
                throttle.append(reason)
    return {"sm_clock_hz": megahertz * 1_000_000, "throttle": " ".join(throttle)}


def _handle(gpu: str) -> Any:
    """What the driver calls a GPU, which is named as CUDA_VISIBLE_DEVICES spells it."""
    if gpu.isdigit():
        return _ask("DeviceGetHandleByIndex", int(gpu))
    return _ask("DeviceGetHandleByUUID", gpu)


def _ask(question: str, *arguments: Any) -> Any:
    """What the driver's library answers, or None."""
    try:
        import pynvml

        pynvml.nvmlInit()
        return getattr(pynvml, f"nvml{question}")(*arguments)
    # Not installed, no driver, not supported, or hidden by virtualisation.
    except Exception:
        return None


def _first_cpu() -> dict[str, str]:
    """What the kernel says of the first processor."""
    text = _CPUINFO.read_text() if _CPUINFO.exists() else ""
    pairs = (line.partition(":") for line in text.partition("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}
