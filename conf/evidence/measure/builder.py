"""The machine's fingerprint, and the state of its GPU. Everything here runs in a child process."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def write_fingerprint(folder: Path, timeout: float) -> None:
    """Child task: write the fields of :class:`~evidence.records.model.Builder` as the result."""
    from evidence.measure.child import enter, write_result

    enter(folder, None, timeout)
    write_result(folder, fingerprint())


def fingerprint() -> dict[str, Any]:
    """What this machine is; GPU fields only where torch sees a GPU."""
    found: dict[str, Any] = {
        "python": platform.python_version(),
        "cpu": _cpu_model(),
        "cores": os.cpu_count() or 0,
        "kernel": platform.release(),
        "virtualisation": "virtual machine" if _has_hypervisor() else "none seen",
    }
    try:
        import torch
    except ImportError:
        return found
    found["torch"] = torch.__version__
    if torch.cuda.is_available():
        found |= _torch_view(torch) | driver_view(
            os.environ.get("CUDA_VISIBLE_DEVICES", "0")
        )
    return found


def _torch_view(torch: Any) -> dict[str, Any]:
    properties = torch.cuda.get_device_properties(0)
    cudnn = torch.backends.cudnn.version() or 0
    return {
        "gpu": properties.name,
        "gpus": torch.cuda.device_count(),
        "gpu_memory_bytes": properties.total_memory,
        "capability": f"{properties.major}.{properties.minor}",
        "cuda": torch.version.cuda or "",
        # 91900 stands for 9.19.0 since cuDNN 9.
        "cudnn": f"{cudnn // 10000}.{cudnn // 100 % 100}.{cudnn % 100}"
        if cudnn
        else "",
    }


def driver_view(visible: str) -> dict[str, Any]:
    """What the driver says of the first visible GPU; 0 and empty where it does not tell."""
    nvml = _nvml()
    if nvml is None:
        return {}
    handle = _ask(_handle, nvml, visible.partition(",")[0], default=None)
    return {
        "driver": _ask(nvml.nvmlSystemGetDriverVersion, default=""),
        "pcie_generation": _ask(
            nvml.nvmlDeviceGetCurrPcieLinkGeneration, handle, default=0
        ),
        "pcie_width": _ask(nvml.nvmlDeviceGetCurrPcieLinkWidth, handle, default=0),
    }


def gpu_state(gpu: str) -> dict[str, Any]:
    """SM clock and throttle reasons of a GPU now, as fields of a record's process."""
    nvml = _nvml()
    if nvml is None:
        return {}
    handle = _ask(_handle, nvml, gpu, default=None)
    megahertz = _ask(nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_SM, default=0)
    reasons = _ask(nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle, default=0)
    return {"sm_clock_hz": megahertz * 1_000_000, "throttle": _throttle(nvml, reasons)}


def _throttle(nvml: Any, reasons: int) -> str:
    prefix = "nvmlClocksThrottleReason"
    harmless = {
        "All",
        "None",
        "GpuIdle",
        "ApplicationsClocksSetting",
        "UserDefinedClocks",
    }
    named = {
        name.removeprefix(prefix): getattr(nvml, name)
        for name in dir(nvml)
        if prefix in name
    }
    active = (
        name for name, bit in named.items() if name not in harmless and reasons & bit
    )
    return " ".join(sorted(active))


def _nvml() -> Any:
    try:
        import pynvml

        pynvml.nvmlInit()
    except Exception:  # not installed, or no driver
        return None
    return pynvml


def _handle(nvml: Any, gpu: str) -> Any:
    by_index = gpu.isdigit()
    return (
        nvml.nvmlDeviceGetHandleByIndex(int(gpu))
        if by_index
        else nvml.nvmlDeviceGetHandleByUUID(gpu)
    )


def _ask(question: Callable[..., Any], *arguments: Any, default: Any) -> Any:
    try:
        return question(*arguments)
    except Exception:  # not supported on this GPU, or hidden by virtualisation
        return default


def _cpu_model() -> str:
    for line in _cpuinfo():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.machine()


def _has_hypervisor() -> bool:
    return any(
        line.startswith("flags") and " hypervisor" in line for line in _cpuinfo()
    )


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []
