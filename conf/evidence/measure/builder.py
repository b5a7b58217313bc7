"""The machine's fingerprint, and the state of its GPU. Everything here runs in a child process."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

_THROTTLE = "nvmlClocksThrottleReason"
#: Reasons for a clock that do not slow a GPU down at its work.
_HARMLESS = ("All", "None", "GpuIdle", "ApplicationsClocksSetting", "UserDefinedClocks")


def fingerprint() -> dict[str, Any]:
    """The fields of a :class:`~evidence.records.model.Builder` that this machine knows."""
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
        visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0")
        found |= _torch_view(torch) | driver_view(visible)
    return found


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
    nvml = _nvml()
    if nvml is None:
        return {}
    gpu = _handle(nvml, visible.partition(",")[0])
    return {
        "driver": _ask(nvml.nvmlSystemGetDriverVersion) or "",
        "pcie_generation": _ask(nvml.nvmlDeviceGetCurrPcieLinkGeneration, gpu) or 0,
        "pcie_width": _ask(nvml.nvmlDeviceGetCurrPcieLinkWidth, gpu) or 0,
    }


def gpu_state(name: str) -> dict[str, Any]:
    """SM clock and throttle reasons of a GPU now, as fields of a record's process."""
    nvml = _nvml()
    if nvml is None:
        return {}
    gpu = _handle(nvml, name)
    megahertz = _ask(nvml.nvmlDeviceGetClockInfo, gpu, nvml.NVML_CLOCK_SM) or 0
    reasons = _ask(nvml.nvmlDeviceGetCurrentClocksThrottleReasons, gpu) or 0
    active = (
        constant.removeprefix(_THROTTLE)
        for constant in dir(nvml)
        if constant.startswith(_THROTTLE) and reasons & getattr(nvml, constant)
    )
    throttle = " ".join(sorted(set(active) - set(_HARMLESS)))
    return {"sm_clock_hz": megahertz * 1_000_000, "throttle": throttle}


def _nvml() -> Any:
    try:
        import pynvml

        pynvml.nvmlInit()
    except Exception:  # not installed, or no driver
        return None
    return pynvml


def _handle(nvml: Any, gpu: str) -> Any:
    """What the driver calls a GPU, which is named as CUDA_VISIBLE_DEVICES spells it."""
    if gpu.isdigit():
        return _ask(nvml.nvmlDeviceGetHandleByIndex, int(gpu))
    return _ask(nvml.nvmlDeviceGetHandleByUUID, gpu)


def _ask(question: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return question(*arguments)
    except Exception:  # not supported on this GPU, or hidden by virtualisation
        return None


def _cpu_model() -> str:
    for line in _cpuinfo():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.machine()


def _has_hypervisor() -> bool:
    flags = (line for line in _cpuinfo() if line.startswith("flags"))
    return any(" hypervisor" in line for line in flags)


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []
