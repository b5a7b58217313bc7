"""A builder tells what it is, as far as torch and the driver know."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from evidence.measure import builder
from evidence.measure.builder import (
    Place,
    cpu_time,
    driver_view,
    fingerprint,
    gpu_state,
    places,
    siblings,
)
from evidence.records.model import Builder
from evidence.site.look.words import builder_facts

CPUINFO = """\
processor\t: 0
model name\t: Xeon (R) : 8480
flags\t\t: fpu {flag}vme

processor\t: 1
model name\t: Other
"""

FIELDS = set(Builder.__struct_fields__)


REASONS = {
    "None": 0,
    "GpuIdle": 1,
    "ApplicationsClocksSetting": 2,
    "SwPowerCap": 4,
    "HwSlowdown": 8,
    "UserDefinedClocks": 16,
    "All": 31,
}


class NvmlError(Exception):
    pass


def refuse(*_: object) -> Any:
    raise NvmlError("not supported")


class Nvml(ModuleType):
    """As much of pynvml as is asked; GPU 1 has the UUID ``GPU-b``."""

    def __init__(self, reasons: int = 0) -> None:
        super().__init__("pynvml")
        self.NVML_CLOCK_SM = 1
        for name, bit in REASONS.items():
            setattr(self, f"nvmlClocksThrottleReason{name}", bit)
        self.nvmlInit = lambda: None
        self.nvmlSystemGetDriverVersion = lambda: "580.95.05"
        self.nvmlDeviceGetHandleByIndex = [0, 1].__getitem__
        self.nvmlDeviceGetHandleByUUID = ["GPU-a", "GPU-b"].index
        self.nvmlDeviceGetCurrPcieLinkGeneration = (5, 4).__getitem__
        self.nvmlDeviceGetCurrPcieLinkWidth = (16, 8).__getitem__
        self.nvmlDeviceGetClockInfo = lambda gpu, clock: (345, 1980)[gpu] * clock
        self.nvmlDeviceGetCurrentClocksThrottleReasons = lambda _: reasons


def refusing(*names: str) -> Nvml:
    nvml = Nvml()
    for name in names:
        setattr(nvml, name, refuse)
    return nvml


QUESTIONS = [name for name in vars(Nvml()) if name.startswith("nvmlDevice")]
DRIVER = {"driver": "580.95.05", "pcie_generation": 5, "pcie_width": 16}
STATE = {"sm_clock_hz": 345_000_000, "throttle": ""}
UNKNOWN = {"pcie_generation": 0, "pcie_width": 0, "sm_clock_hz": 0, "throttle": ""}


def views(nvml: object, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Everything that this library tells of the first GPU."""
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    return driver_view("0") | gpu_state("0")


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.mark.usefixtures("without_torch")
def test_without_torch_the_machine_is_known_and_its_gpus_are_not() -> None:
    found = fingerprint()
    expected = {"python", "cpu", "cores", "kernel", "virtualisation"}
    assert expected == set(found)
    expected_values = (platform.python_version(), platform.release(), os.cpu_count())
    assert expected_values == (found["python"], found["kernel"], found["cores"])
    assert found["cpu"]


@pytest.mark.usefixtures("without_torch")
@pytest.mark.parametrize(
    ("expected", "flag"),
    [("virtual machine", "hypervisor "), ("none seen", "")],
)
def test_the_processor_is_read_from_the_kernel(
    expected: str, flag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text(CPUINFO.format(flag=flag))
    monkeypatch.setattr(builder, "_CPUINFO", tmp_path / "cpuinfo")
    found = fingerprint()
    expected_values = ("Xeon (R) : 8480", expected)
    assert expected_values == (found["cpu"], found["virtualisation"])


@pytest.mark.usefixtures("without_torch")
def test_a_kernel_that_tells_no_processor_leaves_the_architecture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "_CPUINFO", tmp_path / "cpuinfo")
    expected = platform.machine()
    assert expected == fingerprint()["cpu"]


def torch(
    available: bool = True, cudnn: int | None = 91902, folder: str = "nowhere"
) -> SimpleNamespace:
    properties = SimpleNamespace(
        name="NVIDIA H200", total_memory=150_000_000_000, major=8, minor=9
    )
    return SimpleNamespace(
        __version__="2.11.0+cu130",
        __file__=f"{folder}/__init__.py",
        version=SimpleNamespace(cuda="13.0"),
        backends=SimpleNamespace(cudnn=SimpleNamespace(version=lambda: cudnn)),
        cuda=SimpleNamespace(
            is_available=lambda: available,
            device_count=lambda: 2,
            get_device_properties=[properties].__getitem__,
        ),
    )


def test_with_a_gpu_every_field_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch())
    monkeypatch.setitem(sys.modules, "pynvml", Nvml())
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1,0")
    found = fingerprint()
    assert set(found) == FIELDS - {"share"}
    expected = {
        "gpu": "NVIDIA H200",
        "gpus": 2,
        "gpu_memory_bytes": 150_000_000_000,
        "capability": "8.9",
        "driver": "580.95.05",
        "cuda": "13.0",
        "cudnn": "9.19.2",
        "torch": "2.11.0+cu130",
        "pcie_generation": 4,
        "pcie_width": 8,
    }
    assert expected == {name: found[name] for name in expected}


def test_without_a_gpu_only_torch_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch(available=False))
    made = Builder(**fingerprint())
    expected = ("2.11.0+cu130", "", "", 0)
    assert expected == (made.torch, made.gpu, made.driver, made.gpus)


def test_a_torch_that_was_cut_down_says_to_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "PACKED").write_text("sm_90\n")
    packed = {}
    for folder in (str(tmp_path), "nowhere"):
        monkeypatch.setitem(sys.modules, "torch", torch(False, folder=folder))
        packed[folder] = fingerprint()["packed"]
    assert {str(tmp_path): "sm_90", "nowhere": ""} == packed


def test_torch_without_cudnn_has_no_version_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch(cudnn=None))
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert not fingerprint()["cudnn"]


@pytest.mark.parametrize("gpu", ["1", "GPU-b"])
def test_a_gpu_is_named_by_its_index_or_its_uuid(
    gpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", Nvml())
    expected = {"driver": "580.95.05", "pcie_generation": 4, "pcie_width": 8}
    assert expected == driver_view(f"{gpu},0")
    expected_state = {"sm_clock_hz": 1_980_000_000, "throttle": ""}
    assert expected_state == gpu_state(gpu)


@pytest.mark.parametrize(
    ("expected", "reasons"),
    [
        ("", 0),
        ("", 1 | 2 | 16),
        ("SwPowerCap", 1 | 4),
        ("HwSlowdown", 8),
        ("HwSlowdown SwPowerCap", 4 | 8),
    ],
)
def test_only_what_slows_a_gpu_down_counts_as_a_throttle(
    expected: str, reasons: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert expected == views(Nvml(reasons), monkeypatch)["throttle"]


@pytest.mark.parametrize(
    "nvml", [None, refusing("nvmlInit")], ids=["none", "no driver"]
)
def test_without_a_driver_nothing_is_told(
    nvml: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {"driver": "", **UNKNOWN} == views(nvml, monkeypatch)


@pytest.mark.parametrize("name", ["nvmlDeviceGetHandleByIndex", "all"])
def test_a_driver_that_refuses_leaves_0_and_empty(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nvml = refusing(*(QUESTIONS if name == "all" else [name]))
    expected = {"driver": "580.95.05", **UNKNOWN}
    assert expected == views(nvml, monkeypatch)


def test_what_a_driver_refuses_costs_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nvml = refusing("nvmlDeviceGetCurrPcieLinkWidth", "nvmlDeviceGetClockInfo")
    expected = {**DRIVER, **STATE, "pcie_width": 0, "sm_clock_hz": 0}
    assert expected == views(nvml, monkeypatch)


def test_a_reader_sees_the_link_as_generation_and_width() -> None:
    facts = builder_facts(Builder(gpu="NVIDIA L4", pcie_generation=4, pcie_width=8))
    expected = ["NVIDIA L4", "PCIe 4 ×8"]
    assert expected == facts


@pytest.mark.parametrize(
    ("told", "seen"),
    [(["virtual machine"], "virtual machine"), ([], "none seen"), ([], "")],
)
def test_a_reader_sees_that_a_machine_is_virtual(told: list[str], seen: str) -> None:
    assert ["NVIDIA L4", *told] == builder_facts(
        Builder(gpu="NVIDIA L4", virtualisation=seen)
    )


def test_a_reader_sees_that_a_torch_was_cut_down() -> None:
    facts = builder_facts(Builder(gpu="NVIDIA L4", torch="2.14.1", packed="sm_89"))
    assert ["NVIDIA L4", "torch 2.14.1", "its GPU code for sm_89 alone"] == facts


def test_a_record_says_how_many_cores_its_example_had() -> None:
    facts = builder_facts(Builder(gpu="NVIDIA L4", cores=32, share=16))
    expected = ["NVIDIA L4", "16 of 32 cores"]
    assert expected == facts


@pytest.mark.parametrize(
    ("expected", "cores"), [((6, 140), [1]), ((6, 240), [0, 1]), ((0, 0), [])]
)
def test_stolen_time_is_that_of_the_cores_asked_for(
    expected: tuple[int, int],
    cores: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Of each line the last two are those of guests, which the first two hold already.
    lines = ("cpu  9 9", "cpu0 60 0 10 20 5 5 0 0 9 9", "cpu1 99 1 10 20 2 1 1 6 9 9")
    (tmp_path / "stat").write_text("\n".join([*lines, "intr 5"]))
    monkeypatch.setattr(builder, "_STAT", tmp_path / "stat")
    assert expected == cpu_time(cores)


def test_the_driver_says_which_cores_are_near_a_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nvml = Nvml()
    nvml.nvmlDeviceGetCount = lambda: 2  # type: ignore[attr-defined]
    nvml.nvmlDeviceGetUUID = ["GPU-a", "GPU-b"].__getitem__  # type: ignore[attr-defined]
    words = {0: [3, 0, 0], 1: [0, 1, 0]}
    asked = []
    nvml.nvmlDeviceGetCpuAffinity = lambda gpu, n: asked.append(n) or words[gpu]  # type: ignore[attr-defined]
    monkeypatch.setattr(os, "cpu_count", lambda: 130)
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    expected = [Place("0", "GPU-a", {0, 1}), Place("1", "GPU-b", {64})]
    assert expected == places()
    assert [3, 3] == asked  # 64 cores in a word
    nvml.nvmlDeviceGetUUID = refuse  # type: ignore[attr-defined]
    assert [("0", "0"), ("1", "1")] == [(p.index, p.uuid) for p in places()]
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert not places()


def test_a_gpu_is_called_by_its_index_or_the_beginning_of_its_uuid() -> None:
    place = Place("3", "GPU-b17")
    names = {"3": True, "GPU-b17": True, "GPU-b1": True, "GPU-b7": False}
    names |= {"": False, "17": False, "33": False, "GPU-b179": False}
    assert names == {name: place.is_called(name) for name in names}


def test_threads_of_one_core_are_told_by_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "_CORES", tmp_path)
    for core, listed in {5: "1,5", 3: "2-3"}.items():
        topology = tmp_path / f"cpu{core}" / "topology"
        topology.mkdir(parents=True)
        (topology / "thread_siblings_list").write_text(f"{listed}\n")
    expected = [1, 2, 7]
    assert expected == [siblings(core) for core in (5, 3, 7)]
