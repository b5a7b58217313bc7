"""The doctor on ailing machines: made by variables, limits, and fakes of the driver and PyTorch.

That the real ``nvidia-smi`` and ``torch.cuda`` answer as these fakes do, only a machine with a GPU
can show.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import resource
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from conftest import ROOT, Site, claim
from evidence import doctor
from evidence.__main__ import main
from evidence.doctor import known, machine
from evidence.doctor.pytorch import ask, failing, pytorch
from evidence.doctor.report import Report
from evidence.doctor.script_rules import find
from evidence.judge.claim import Claim
from evidence.judge.pages import read_folder
from evidence.site.publish.doctor_app import NAME, cited, write_app
from factories import builder

FINDINGS = known.findings_and_scripts()["findings"]
SOURCES = sorted((ROOT / "conf/evidence/doctor").glob("*.py"))
#: What the rules say of the site's own examples: where the mistake is what an example shows, or
#: what it does on purpose, and where a reader of such a script would be told in vain.
SHOWN = {
    "backward-in-the-block": 3,
    "old-names-of-amp": 3,
    "read-before-it-arrives": 1,
    "read-in-a-loop": 19,
    "timed-without-a-wait": 1,
}
IN_VAIN = {
    # It empties the cache before each of two peaks that it measures.
    "cache-is-emptied-in-a-loop": ["some_measures_lower_the_peak.py:72"],
    # The same line reads the loss, and so waits, before it reads the clock.
    "timed-without-a-wait": [
        "a_small_model_gains_nothing_on_a_gpu.py:32",
        "workers_slow_down_a_small_loop.py:32",
    ],
    # It copies a pinned buffer to see what its deletion leaves, and wants no result.
    "copy-is-not-kept": [
        "host_memory_stats_tell_what_is_held.py:74",
        "host_memory_stats_tell_what_is_held.py:78",
    ],
}

TORCH = """\
__version__ = "{torch}"

class version:
    cuda, hip = {cuda!r}, {hip!r}

class cuda:
    @staticmethod
    def init():
        {init}

    @staticmethod
    def device_count():
        return {gpus}

    @staticmethod
    def get_device_properties(index):
        class properties:
            name, major, minor = "NVIDIA H200", 9, 0
        return properties

    @staticmethod
    def can_device_access_peer(one, other):
        return {peers}

    @staticmethod
    def get_arch_list():
        return {kernels!r}
"""
WITH_CUDA = {
    "torch": "2.14.1+cu130",
    "cuda": "13.0",
    "hip": None,
    "init": "pass",
    "gpus": 2,
    "peers": True,
    "kernels": ["sm_80", "sm_90", "compute_90"],
}
SMI = """\
#!/bin/sh
case "$*" in
*compute-apps*) {processes} ;;
*) {gpus} ;;
esac
"""
#: The driver's answer on an idle GPU: its reason for a low clock is that.
IDLE = "echo '0, GPU-1, 580.159.04, 143771, 4, 0x0000000000000001'"


@pytest.fixture(scope="module")
def claims() -> dict[str, Claim]:
    """The claims of the pages, by id."""
    return {
        each.id: each for _, every, _ in read_folder(ROOT / "docs") for each in every
    }


def as_published(claim: Claim) -> dict[str, Any]:
    """As much of it as the doctor reads in ``claims.json``."""
    checks = [
        {"label": c.label, "value": str(c.value), "expect": c.expect}
        for c in claim.checks
    ]
    return {
        "id": claim.id,
        "page": claim.page,
        "anchor": f"{claim.page}.html#{claim.id}",
        "scope": claim.scope.text,
        "statement": f"the sentence of {claim.id}",
        "checks": checks,
    }


class Patient:
    """A machine without a GPU, a driver and PyTorch, and what a test gives it."""

    def __init__(self, folder: Path, published: Path, monkeypatch: Any) -> None:
        self.folder, self.published, self.monkeypatch = folder, published, monkeypatch
        for name in ("bin", "torch", "dev", "cgroup"):
            (folder / name).mkdir()
        self.torch(
            "raise ImportError('libcudart.so.13: cannot open shared object file')"
        )
        for text in FINDINGS.values():
            for variable in text.get("variables", ()):
                monkeypatch.delenv(variable, raising=False)
        monkeypatch.setenv("PATH", f"{folder / 'bin'}:/usr/bin:/bin")
        monkeypatch.setenv("PYTHONPATH", str(folder / "torch"))
        monkeypatch.setattr(machine, "DEV", folder / "dev")
        monkeypatch.setattr(machine, "CGROUP", folder / "cgroup")
        monkeypatch.setattr(machine, "SMALL_SHM", 0)
        monkeypatch.setattr(machine, "tracing", tuple)
        monkeypatch.setattr(
            os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1)
        )
        limit = resource.RLIM_INFINITY
        monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))

    def torch(self, source: str = "", **changes: Any) -> None:
        """Install a fake of PyTorch."""
        text = source or TORCH.format(**{**WITH_CUDA, **changes})
        (self.folder / "torch" / "torch.py").write_text(text)

    def driver(self, gpus: str = IDLE, processes: str = ":") -> None:
        """Install a fake of the driver's program, and show a GPU."""
        path = self.folder / "bin" / "nvidia-smi"
        path.write_text(SMI.format(gpus=gpus, processes=processes))
        path.chmod(0o755)
        (self.folder / "dev" / "nvidia0").touch()

    def scripts(self, **sources: str) -> None:
        """Give the doctor these instead of the health check's."""
        shipped = {**known.findings_and_scripts(), "scripts": sources}
        self.monkeypatch.setattr(doctor, "findings_and_scripts", lambda: shipped)

    def examine(self, *arguments: str) -> dict[str, Any]:
        """What the doctor says, as data."""
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdout", out)
            code = main(["doctor", "--json", f"--claims={self.published}", *arguments])
        data: dict[str, Any] = json.loads(out.getvalue())
        assert code == data["exit_code"]
        return data


@pytest.fixture(scope="module")
def published(tmp_path_factory: Any, claims: dict[str, Claim]) -> Path:
    path: Path = tmp_path_factory.mktemp("claims") / "claims.json"
    path.write_text(json.dumps({"claims": [*map(as_published, claims.values())]}))
    return path


@pytest.fixture
def patient(tmp_path: Path, published: Path, monkeypatch: Any) -> Patient:
    patient = Patient(tmp_path, published, monkeypatch)
    patient.scripts()
    return patient


def names(data: dict[str, Any]) -> list[str]:
    return [finding["finding"] for finding in data["findings"]]


def test_a_healthy_machine_gets_nothing(patient: Patient) -> None:
    patient.torch()
    patient.driver()
    data = patient.examine()
    assert ([], [], 0) == (data["findings"], data["unread"], data["exit_code"])
    machine_ = data["machine"]
    assert ("580.159.04", "NVIDIA H200", 2, "9.0") == tuple(
        machine_[name] for name in ("driver", "gpu", "gpus", "capability")
    )


# -- Five ailments ---------------------------------------------------------------------


@pytest.mark.parametrize("value", ["", "-1"])
def test_hidden_gpus_are_named(value: str, patient: Patient) -> None:
    patient.driver()
    patient.torch(init="raise RuntimeError('No CUDA GPUs are available')")
    patient.monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    data = patient.examine()
    assert ["no-gpu-is-visible"] == names(data)
    assert data["exit_code"] == 1


def test_a_container_with_small_limits_is_named(patient: Patient) -> None:
    patient.torch()
    patient.driver()
    (patient.folder / "cgroup/memory.max").write_text("1073741824\n")
    (patient.folder / "cgroup/cpu.max").write_text("50000 100000\n")
    patient.monkeypatch.setattr(machine, "SMALL_SHM", 2**60)
    patient.monkeypatch.setattr(resource, "getrlimit", lambda _: (65536, 65536))
    forbidden = lambda: iter([("may-not-trace", {})])  # noqa: E731
    patient.monkeypatch.setattr(machine, "tracing", forbidden)
    data = patient.examine()
    expected = [
        "shared-memory-is-small",
        "locked-memory-is-limited",
        "memory-is-limited",
    ]
    expected += ["few-cores", "may-not-trace"]
    assert expected == names(data)
    assert data["exit_code"] == 1
    assert "1 GiB" in next(f["what"] for f in data["findings"] if "host's" in f["what"])


def test_a_limit_of_a_group_around_its_own_counts(patient: Patient) -> None:
    group, proc = patient.folder / "cgroup/job", patient.folder / "proc"
    for folder in (group / "task", proc / "self"):
        folder.mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal:        4194304 kB\n")
    (proc / "self/cgroup").write_text("0::/job/task\n")
    (group / "memory.max").write_text("2147483648\n")
    (group / "task/memory.max").write_text("max\n")
    patient.monkeypatch.setattr(machine, "PROC", proc)
    words = {"limit": "2 GiB", "total": "4 GiB"}
    assert [("memory-is-limited", words)] == [*machine.container()]


def test_of_several_groups_the_smallest_limits_count(patient: Patient) -> None:
    cgroup, proc = patient.folder / "cgroup", patient.folder / "proc"
    for name in ("job", "memory/job", "other"):
        (cgroup / name).mkdir(parents=True)
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal:        8388608 kB\n")
    groups = "9:cpu,cpuacct:/job\n8:memory:/job\n1:name=systemd:/other\n"
    (proc / "self/cgroup").write_text(groups)
    (cgroup / "memory/job/memory.limit_in_bytes").write_text("5368709120\n")
    (cgroup / "job/memory.max").write_text("3221225472\n")
    (cgroup / "other/memory.max").write_text("4294967296\n")
    for folder, quota in (("job", 150_000), ("other", 250_000)):
        (cgroup / folder / "cpu.max").write_text(f"{quota} 100000\n")
    patient.monkeypatch.setattr(machine, "PROC", proc)
    patient.monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(7))
    patient.monkeypatch.setattr(os, "cpu_count", lambda: 9)
    assert [
        ("memory-is-limited", {"limit": "3 GiB", "total": "8 GiB"}),
        ("few-cores", {"cores": "1.5", "all": 9}),
    ] == [*machine.container()]
    # No quota gives more than there are.
    patient.monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(1))
    _, (name, words) = machine.container()
    assert ("few-cores", {"cores": "1", "all": 9}) == (name, words)


def test_of_unlike_gpus_the_first_is_who_a_scope_is_asked_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    devices = [{"name": "NVIDIA L4", "sm": "8.9"}, {"name": "NVIDIA H200", "sm": "9.0"}]
    told = [
        {"torch": "2.14.1", "cuda": "13.0", "hip": ""},
        {"kernels": [], "devices": devices, "missing": []},
    ]
    monkeypatch.setattr(sys.modules[pytorch.__module__], "ask", lambda *_: (told, ""))
    report = Report({}, {}, {}, {"python": "3.12.1"})
    assert [] == [*pytorch(report, 7)]
    assert {
        "python": "3.12.1",
        "torch": "2.14.1",
        "cuda": "13.0",
        "gpus": 2,
        "gpu": "NVIDIA L4",
        "capability": "8.9",
    } == report.machine


@pytest.mark.parametrize(
    ("expect", "fails"),
    [
        ("== 3", [False, True, True]),
        (">= 3", [False, False, True]),
        ("<= 3", [False, True, False]),
        ("== .same", [False, True, True]),
        (">= 300 %", [False, False, True]),
    ],
)
def test_a_check_of_health_fails_beyond_its_bound_alone(
    expect: str, fails: list[bool]
) -> None:
    found = []
    for value in (3, 3.5, 2.5):
        check = {"label": "how much", "value": "copy.much", "expect": expect}
        said = [*failing([check], {"much": value, "same": 3, "other": 7})]
        assert said in ([], [f"'how much' is {value:.3g}, not {expect}"])
        found.append(bool(said))
    assert fails == found


def test_a_pytorch_without_cuda_is_named_where_there_is_a_gpu(patient: Patient) -> None:
    patient.torch(torch="2.14.1+cpu", cuda=None)
    data = patient.examine()
    assert (2, []) == (data["exit_code"], names(data))
    assert "this PyTorch, 2.14.1+cpu, is built without CUDA" in data["unread"]
    patient.driver()
    data = patient.examine()
    assert (1, ["built-without-cuda"]) == (data["exit_code"], names(data))


def test_variables_are_named(patient: Patient) -> None:
    patient.torch()
    patient.driver()
    values = {
        "NVIDIA_TF32_OVERRIDE": "0",
        "CUDA_LAUNCH_BLOCKING": "1",
        "PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:64,expandable_segments:True",
        "PYTORCH_ALLOC_CONF": "expandable_segment:True",
    }
    for name, value in values.items():
        patient.monkeypatch.setenv(name, value)
    data = patient.examine()
    assert {
        "tf32-vetoed",
        "launches-wait",
        "both-allocator-variables",
        "misspelled-allocator-option",
        "split-limit-with-expandable-segments",
    } == set(names(data))
    assert all(finding["harms"] and finding["address"] for finding in data["findings"])


def test_a_busy_hot_gpu_with_too_old_a_build_is_named(patient: Patient) -> None:
    patient.torch(kernels=["sm_50", "sm_86", "sm_100a"], peers=False)
    row = "0, GPU-1, 580.159.04, 143771, 9000, 0x0000000000000060"
    other = "1, GPU-2, 580.159.04, 143771, 9000, [N/A]"
    process = "echo 'GPU-1, 4242, 8000, /usr/bin/python3'"
    patient.driver(gpus=f"echo '{row}'; echo '{other}'", processes=process)
    data = patient.examine()
    what = {finding["finding"]: finding["what"] for finding in data["findings"]}
    assert {
        "clock-is-slowed": "GPU 0 says that its clock is lowered by"
        " heat (driver) and heat (hardware)",
        "another-process-computes": "GPU 0 runs another process: 4242 (python3, 8000 MiB)",
        "memory-is-taken": "8.789 GiB of GPU 1's 140.4 GiB are taken, and no process is"
        " shown that holds them",
        "no-peer-access": "of 2 ordered pairs of GPUs, 2 cannot access each other's memory",
    }.items() <= what.items()
    assert names(data).count("no-kernels-for-this-gpu") == 2
    assert data["exit_code"] == 1


def test_a_clock_that_is_lowered_as_usual_is_not_named(patient: Patient) -> None:
    """Idle, set by hand, at its power limit, by others of a group; and what is amiss."""
    usual, amiss = (0x01, 0x02, 0x04, 0x10, 0x100), (0x08, 0x20, 0x40, 0x80, 0x8C)
    rows = [
        f"{index}, GPU-{index}, 580.159.04, 143771, 4, {bits:#018x}"
        for index, bits in enumerate(usual + amiss)
    ]
    patient.driver(gpus="; ".join(f"echo '{row}'" for row in rows))
    expected = {
        "5": "the hardware",
        "6": "heat (driver)",
        "7": "heat (hardware)",
        "8": "the power supply",
        "9": "the hardware and the power supply",
    }
    assert [
        ("clock-is-slowed", {"index": index, "reasons": reasons})
        for index, reasons in expected.items()
    ] == [*machine.driver({})]


def test_a_real_limit_and_a_library_that_is_not_there(published: Path) -> None:
    """On this machine as it is, in a process with both, and within ten seconds."""
    doctor_ = f"{sys.executable} -m evidence doctor --json --claims {published}"
    begin = time.monotonic()
    done = subprocess.run(
        ["sh", "-c", f"ulimit -l 64 && LD_PRELOAD=/gone.so exec {doctor_}"],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT / "conf")},
        capture_output=True,
        text=True,
    )
    if not machine.has_gpu():
        assert time.monotonic() - begin < 10
    data = json.loads(done.stdout)
    (finding,) = (
        f for f in data["findings"] if f["finding"] == "locked-memory-is-limited"
    )
    assert finding["what"] == "this process may lock 0.0625 MiB (ulimit -l)"
    assert "Traceback" not in done.stderr


def test_the_right_to_trace_can_be_asked_here() -> None:
    assert dict(machine.tracing()).keys() <= {"may-not-trace"}


# -- What cannot be read is a sentence ---------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "torch"),
    [
        (
            "PyTorch does not load: exit code 1: ImportError: libc10.so",
            "raise ImportError('libc10.so')",
        ),
        ("PyTorch does not load: SIGSEGV", "import os; os.kill(os.getpid(), 11)"),
        ("PyTorch does not load: no answer within 1 s", "import time; time.sleep(60)"),
    ],
)
def test_a_broken_pytorch_is_a_sentence(
    sentence: str, torch: str, patient: Patient
) -> None:
    patient.torch(torch)
    patient.monkeypatch.setattr(doctor, "WITHOUT", 1.2)
    begin = time.monotonic()
    data = patient.examine()
    assert time.monotonic() - begin < 5
    assert any(sentence in each for each in data["unread"]), data["unread"]
    assert data["exit_code"] == 2


@pytest.mark.parametrize(
    ("sentence", "changes"),
    [
        ("this PyTorch is for AMD's GPUs", {"cuda": None, "hip": "6.4"}),
        (
            "PyTorch cannot use a GPU: RuntimeError: Found no NVIDIA driver",
            {"init": r"raise RuntimeError('Found no NVIDIA driver on\nyour system')"},
        ),
    ],
)
def test_no_gpu_that_pytorch_can_use_is_a_sentence(
    sentence: str, changes: dict[str, Any], patient: Patient
) -> None:
    patient.torch(**changes)
    data = patient.examine()
    assert any(each.startswith(sentence) for each in data["unread"]), data["unread"]
    assert data["exit_code"] == 2


def test_a_broken_driver_is_a_sentence(patient: Patient) -> None:
    patient.torch()
    patient.driver(processes="echo 'Failed to initialize NVML'; exit 18")
    data = patient.examine()
    said = "the driver: OSError: nvidia-smi: exit code 18: Failed to initialize NVML"
    assert ([said], 0) == (data["unread"], data["exit_code"])
    (patient.folder / "bin" / "nvidia-smi").unlink()
    assert ["the driver: there is no nvidia-smi"] == patient.examine()["unread"]


def test_gpus_that_are_not_visible_are_nobody_s_business(patient: Patient) -> None:
    patient.torch(gpus=1)
    patient.driver(gpus=f"case $1 in --id=*) exit 1 ;; esac; [ $3 = --id=1 ] && {IDLE}")
    patient.monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    data = patient.examine()
    assert (["hidden-gpus"], []) == (names(data), data["unread"])
    assert data["machine"]["driver"] == "580.159.04"


def test_files_that_are_not_there_are_a_sentence_each(patient: Patient) -> None:
    patient.torch()
    patient.driver()
    patient.monkeypatch.setattr(machine, "PROC", patient.folder / "gone")
    patient.monkeypatch.setattr(machine, "SHM", patient.folder / "gone")
    said = patient.examine("no_script.py")
    assert [
        "the memory that processes share",
        "the limits of a container",
        "no_script.py",
    ] == [sentence.partition(":")[0] for sentence in said["unread"]]
    assert said["exit_code"] == 2


def test_without_claims_it_says_what_to_do(
    patient: Patient, monkeypatch: Any, capsys: Any
) -> None:
    patient.torch()
    patient.driver()
    monkeypatch.setattr(known, "PUBLISHED", patient.folder / "gone")
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert f"unread: {known.NO_CLAIMS}\n" in said
    assert "[launch-blocking-waits-for-copies]" in said
    patient.published = patient.folder / "torch" / "torch.py"
    assert "claims.json: JSONDecodeError" in patient.examine()["unread"][0]


@pytest.mark.parametrize(
    ("lines", "why", "said"),
    [
        (['\0{"a": 1}', "one", "two", '\0{"b": 2}'], "SIGABRT", "SIGABRT: two"),
        (['\0{"a": 1}', '\0{"b": 2}'], "no answer", "no answer"),
        (["one", '\0{"a": 1}', '\0{"b": 2}', "two"], "", ""),
    ],
)
def test_why_it_broke_off_is_what_was_written_last_beside_the_answers(
    lines: list[str], why: str, said: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(machine, "run", lambda *_: (lines, why))
    assert ([{"a": 1}, {"b": 2}], said) == ask({}, 7)


def test_a_named_file_of_claims_replaces_those_that_are_carried(
    published: Path,
) -> None:
    name = "old-names-of-amp-warn"
    report = Report({}, {}, {name: {"address": "https://example.org/"}})
    assert [] == [*known.claims(report, None)]
    assert "https://example.org/" == report.claims[name]["address"]
    assert [] == [*known.claims(report, published)]
    address = f"amp/autocast_reference.html#{name}"
    assert address == report.claims[name]["address"]


def test_what_its_page_shows_is_what_it_says(claims: dict[str, Claim]) -> None:
    page = (ROOT / "docs/fix/doctor.md").read_text("utf-8")
    shown = page.partition("```text\n")[2].partition("```")[0]
    found: list[Any] = [
        ("tf32-vetoed", {"variable": "NVIDIA_TF32_OVERRIDE", "value": "0"}),
        ("clipped-while-scaled", {"lines": [11]}),
    ]
    cites = (claims[FINDINGS[name]["claim"]] for name, _ in found)
    known_claims = {
        each.id: {"scope": "any", "address": f"{each.page}.html#{each.id}"}
        for each in cites
    }
    machine_ = {"python": "3.11.7", "torch": "2.13.0+cpu"}
    report = Report(FINDINGS, {}, known_claims, machine_, found)
    report.unread += ["the driver: there is no nvidia-smi"]
    report.unread += ["this PyTorch, 2.13.0+cpu, is built without CUDA"]
    assert " ".join(report.lines()).split() == shown.split()


# -- Scope, and the health check ---------------------------------------------------------


def test_out_of_scope_is_said_and_harms_nobody(patient: Patient, capsys: Any) -> None:
    patient.torch(gpus=1)
    patient.driver()
    script = patient.folder / "late.py"
    script.write_text(
        "import torch\nx = torch.ones(1).cuda()\ntorch.cuda.set_device(i)\n"
    )
    data = patient.examine(str(script))
    (finding,) = data["findings"]
    assert (True, False) == (finding["out_of_scope"], finding["harms"])
    assert data["exit_code"] == 0
    main(["doctor", f"--claims={patient.published}", str(script)])
    assert "know: line 3: " in (said := capsys.readouterr().out)
    assert "; out of scope here: it was measured where gpus>=2]" in said
    # Without a GPU, nobody knows where the script will run.
    assert patient.examine("--no-machine", str(script))["exit_code"] == 1


HEALTHY = {
    "a_product_repeats_bit_for_bit": """\
measured = {"runs": 2, "same_runs": 2, "rows": 3, "exact_rows": 3, "faults": 0}
""",
    "the_clock_holds_under_load": """\
measured = {
    "clock_share": {"samples": [0.5, 0.75, 0.8]}, "slowed_share": {"samples": [0.0]}
}
""",
}


def test_the_short_claims_are_tried(patient: Patient) -> None:
    patient.torch()
    patient.driver()
    patient.scripts(**HEALTHY)
    data = patient.examine()
    assert ["clock-holds-under-load", "product-repeats-bit-for-bit"] == sorted(
        data["held"]
    )
    assert (0, []) == (data["exit_code"], data["findings"])


def test_short_claims_that_fail_are_told(patient: Patient) -> None:
    patient.torch()
    patient.driver()
    clock = HEALTHY["the_clock_holds_under_load"].replace("0.75", "0.51")
    patient.scripts(
        a_product_repeats_bit_for_bit="import unittest; raise unittest.SkipTest('no GPU')",
        the_clock_holds_under_load=clock,
        the_host_keeps_up_with_the_link="import os; os._exit(3)",
    )
    data = patient.examine()
    (finding,) = data["findings"]
    assert (
        "in one run of the_clock_holds_under_load, 'clock' is 0.51, not >= 55 %"
        == finding["what"]
    )
    assert "clock-holds-under-load" == finding["claim"]
    assert finding["claim"] in finding["do"]
    assert "a_product_repeats_bit_for_bit: SkipTest: no GPU" in data["unread"]
    assert data["unread"][-1].startswith("the_host_keeps_up_with_the_link: exit code 3")
    assert data["exit_code"] == 1


def test_the_health_check_asks_no_more_than_the_doctor_understands(
    claims: dict[str, Claim],
) -> None:
    page = [claim for claim in claims.values() if claim.page == pytorch_module().HEALTH]
    assert len(page) >= 7
    expected = [check.expect for claim in page for check in claim.checks]
    assert [] == [e for e in expected if not pytorch_module()._EXPECT.fullmatch(e)]


def pytorch_module() -> Any:
    """The module, whose name the package gives to its function."""
    return sys.modules["evidence.doctor.pytorch"]


# -- What it says, and where that is shown ----------------------------------------------


def test_each_finding_cites_a_claim_that_a_page_makes(claims: dict[str, Claim]) -> None:
    assert len(FINDINGS) > 40
    assert set() == cited(FINDINGS) - claims.keys()
    everywhere = builder(gpu="NVIDIA H200", gpus=2, torch="2.14.1", capability="9.0")
    scopes = {claims[claim].scope for claim in cited(FINDINGS)}
    assert [] == [scope.text for scope in scopes if not scope.holds_on(everywhere)]


def test_each_finding_is_whole() -> None:
    """It says what, why and what to do, in words that its probe gives."""
    sources = "".join(path.read_text("utf-8") for path in SOURCES)
    for name, text in FINDINGS.items():
        assert {"what", "why", "do", "claim"} <= text.keys(), name
        if not text.keys() & {"variables", "statement"}:
            assert f'"{name}"' in sources
        fields = {
            f
            for part in ("what", "why", "do")
            for _, f, _, _ in Formatter().parse(text[part])
            if f
        }
        if "variables" in text:
            assert fields <= {"variable", "value"}, name
        for key in text:
            if key.endswith(("_has", "_lacks")) or key in (
                "value",
                "statement",
                "after",
            ):
                re.compile(text[key].replace("{0}", "x"))


@pytest.mark.parametrize("name", [n for n, t in FINDINGS.items() if "variables" in t])
def test_each_variable_s_value_is_found_and_others_are_not(name: str) -> None:
    text = FINDINGS[name]
    values = {"CUBLAS_WORKSPACE_CONFIG": ":16:8", "CUDA_MODULE_LOADING": "EAGER"}
    fitting = {
        "misspelled-allocator-option": "max_split_size_mb:64, expandable_segmets:True",
        "split-limit-with-expandable-segments": "expandable_segments:True,max_split_size_mb:64",
        "collection-without-a-limit": "garbage_collection_threshold:0.8",
        "rounding-without-a-split-limit": "max_non_split_rounding_mb:60",
    }
    other = {
        "misspelled-allocator-option": "roundup_power2_divisions:[256:1,512:2,>:4],backend:native",
        "split-limit-with-expandable-segments": "expandable_segments:False,max_split_size_mb:64",
        "collection-without-a-limit": "garbage_collection_threshold:0.8,"
        "per_process_memory_fraction:0.5",
        "rounding-without-a-split-limit": "max_non_split_rounding_mb:60,max_split_size_mb:200",
    }
    for variable in text["variables"]:
        usual = "0" if text.get("value") == "0" else values.get(variable, "1")
        with_others = dict.fromkeys(text.get("with", ()), "1")
        environ = {variable: fitting.get(name, usual), **with_others}
        found = dict(machine.variables({name: text}, environ))
        assert {name: {"variable": variable, "value": environ[variable]}} == found
        if "value" in text:
            environ[variable] = other.get(name, "-1" if name == "hidden-gpus" else "no")
            assert {} == dict(machine.variables({name: text}, environ))


def test_the_rules_on_the_site_s_own_examples() -> None:
    """Each alarm is counted: what an example shows on purpose, and what is said in vain."""
    shown: dict[str, int] = {}
    in_vain: dict[str, list[str]] = {}
    examples = sorted(ROOT.glob("examples/*/*.py"))
    assert len(examples) >= 500
    for path in examples:
        for name, words in find(path, FINDINGS):
            for line in words["lines"]:
                place = f"{path.name}:{line}"
                if place in IN_VAIN.get(name, ()):
                    in_vain.setdefault(name, []).append(place)
                else:
                    shown[name] = shown.get(name, 0) + 1
    assert SHOWN == shown
    assert IN_VAIN == in_vain


# -- What it is made of -----------------------------------------------------------------


def code_lines(source: str) -> int:
    """The lines of a module without blank ones, comments and docstrings."""
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    texts = [
        n.body[0]
        for n in ast.walk(tree)
        if isinstance(n, documented) and ast.get_docstring(n)
    ]
    prose = {line for n in texts for line in range(n.lineno, (n.end_lineno or 0) + 1)}
    lines = enumerate(source.splitlines(), 1)
    return sum(
        bool(t.strip()) and t.strip()[0] != "#" and n not in prose for n, t in lines
    )


def test_its_own_code_has_500_lines_at_most() -> None:
    assert sum(code_lines(path.read_text("utf-8")) for path in SOURCES) <= 500
    assert 2 == code_lines(
        '"""One."""\n\nimport a\n\n\ndef f():\n    """Two."""\n    # three\n'
    )


def test_it_imports_the_standard_library_alone() -> None:
    """Of ours, it imports what the zipapp carries, in a Python without site-packages."""
    program = "import sys; from evidence.__main__ import main; main(['doctor', '--no-machine'])"
    program += "; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(ROOT / "conf")},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    allowed = {*sys.stdlib_module_names, "evidence", "__main__"}
    assert {"evidence"} == {name for name in loaded if name not in allowed} | {
        "evidence"
    }
    assert not loaded & {"torch", "click", "msgspec", "sphinx"}


def test_the_zipapp_examines_without_a_clone(patient: Patient, tmp_path: Path) -> None:
    """Elsewhere, with nothing of ours on the path; its bytes are the same each time."""
    data = json.loads(patient.published.read_text())
    assert [] == write_app(tmp_path, data, "https://example.org/2.14/")
    first = (tmp_path / NAME).read_bytes()
    with zipfile.ZipFile(tmp_path / NAME) as app:
        assert {1980} == {each.date_time[0] for each in app.infolist()}
    write_app(tmp_path, data, "https://example.org/2.14/")
    assert first == (tmp_path / NAME).read_bytes()
    gone = {"claims": [c for c in data["claims"] if c["id"] != "bf16-needs-no-scaler"]}
    assert ["bf16-needs-no-scaler"] == write_app(tmp_path / "bin", gone, "")
    script = tmp_path / "train.py"
    script.write_text("import torch\nfrom torch.cuda.amp import autocast\n")
    done = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / NAME, script.name, "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    told = json.loads(done.stdout)
    assert "" == done.stderr
    assert (2, 2) == (done.returncode, told["exit_code"])
    address = (
        "https://example.org/2.14/amp/autocast_reference.html#old-names-of-amp-warn"
    )
    assert address in [finding["address"] for finding in told["findings"]]
    assert any(each.startswith("PyTorch does not load") for each in told["unread"])


def test_a_site_publishes_it(site: Site) -> None:
    build = site.build()
    assert zipfile.is_zipfile(build.html / NAME)
    assert build.code == 0


def test_a_site_without_a_claim_that_the_doctor_cites_is_red(site: Site) -> None:
    site.page(claim("bf16-needs-no-scaler"))
    (warning,) = site.build(code=1).warnings
    assert "the doctor cites claims that no page makes: ['a-busy-process" in warning
    assert "bf16-needs-no-scaler" not in warning
    assert warning.endswith("[evidence.count]")


def test_a_long_reason_is_one_line_and_whole_as_data() -> None:
    why = "OutOfMemoryError: CUDA out of memory.\n" + "It has much to say of it. " * 20
    report = Report({}, {}, {}, unread=[f"the_link_gives_its_rate: {why}"])
    (line, _) = report.lines()
    assert line.startswith("unread: the_link_gives_its_rate: OutOfMemoryError: CUDA")
    assert line.endswith(" [...]")
    assert len(line) <= 200
    assert why in report.data()["unread"][0]


def test_its_help_says_what_it_is_and_how_it_ends(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "what of this site applies to a stranger's machine" in said
    assert "It ends with 0 if it found nothing that harms" in said
