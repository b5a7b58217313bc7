"""The examples of "Is my machine healthy?" on a machine that is not: on the CPU, with fakes."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import SkipTest

import pytest
from conftest import ROOT
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "examples" / "health"

#: What makes an example small, and run on the CPU.
SMALLER = {
    r'"cuda"|f"cuda:\{gpu\}"': '"cpu"',
    r"\.pin_memory\(\)": ".clone()",
    r"2\*\*(26|28|30)\b": "2**16",
    r"\b(8192|4096)\b": "128",
}

DRIVER = """\
#!/bin/sh
case "$*" in
*remapped*) echo "GPU-other, Yes, No"; echo "GPU-this, {rows}, No" ;;
*ecc*) echo "GPU-this, {errors}" ;;
*pcie*) echo "{link}" ;;
*clocks*) echo "{clocks}" ;;
esac
"""
HEALTHY = {
    "rows": "No",
    "errors": "0",
    "link": "5, 5, 16, 16",
    "clocks": "1470, 1980, 0x0000000000000004, 55",
}


class Event:
    """An event of the CPU, which waits for nothing."""

    def __init__(self, **_: bool) -> None:
        self.at = 0.0

    def record(self) -> None:
        self.at = time.perf_counter()

    def elapsed_time(self, other: Event) -> float:
        return (other.at - self.at) * 1e3


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The real one, whose GPUs are fakes."""
    torch = pytest.importorskip("torch")
    fakes = {
        "Event": Event,
        "can_device_access_peer": lambda *_: True,
        "device_count": lambda: 3,
        "get_device_name": lambda: "NVIDIA H200",
        "get_device_properties": lambda _: SimpleNamespace(uuid="this"),
        "synchronize": lambda: None,
    }
    for name, fake in fakes.items():
        monkeypatch.setattr(torch.cuda, name, fake)
    return torch


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torch: Any) -> Any:  # noqa: ARG001
    """What an example measures on a machine whose driver answers so."""

    def run(stem: str, **answers: str) -> dict[str, Any]:
        driver = tmp_path / "nvidia-smi"
        driver.write_text(DRIVER.format_map({**HEALTHY, **answers}))
        driver.chmod(0o700)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        code = (FOLDER / f"{stem}.py").read_text("utf-8")
        for pattern, smaller in SMALLER.items():
            code = re.sub(pattern, smaller, code)
        names: dict[str, Any] = {}
        exec(compile(code, stem, "exec"), names)
        found: dict[str, Any] = names["measured"]
        return found

    return run


def faulty(torch: Any, monkeypatch: pytest.MonkeyPatch, name: str, every: int) -> None:
    """Have a method of tensors spoil one element in every so many calls."""
    right, calls = getattr(torch.Tensor, name), iter(range(1, 1000))

    def wrong(*operands: Any) -> Any:
        result = right(*operands)
        if next(calls) % every == 0:
            result.view(-1)[0] += 1
        return result

    monkeypatch.setattr(torch.Tensor, name, wrong)


def test_one_word_selects_the_claims_of_the_page_alone() -> None:
    stems = {path.stem for path in find_scripts(ROOT / "examples")}
    asked = questions(ROOT / "docs", ["healthy_machine"], stems)

    assert {"evidence/healthy_machine"} == {claim.page for claim in asked}
    needed = {stem for claim in asked for stem in claim.stems}
    assert {path.stem for path in find_scripts(FOLDER)} == needed


@pytest.mark.torch
def test_a_wrong_byte_between_two_gpus_is_found(
    measured: Any, torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stem = "every_pair_of_gpus_copies_exactly"
    found = measured(stem)
    assert (6, 6) == (found["exact_pairs"], found["pairs"])
    # A try copies twice: of six pairs with three tries each, the last copy of one is wrong.
    faulty(torch, monkeypatch, "copy_", 36)
    assert 5 == measured(stem)["exact_pairs"]


@pytest.mark.torch
def test_a_product_that_differs_and_an_error_of_the_memory_are_found(
    measured: Any, torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stem = "a_product_repeats_bit_for_bit"
    healthy = {"runs": 20, "same_runs": 20, "rows": 64, "exact_rows": 64, "faults": 0}
    assert healthy == measured(stem)
    assert healthy | {"faults": 2} == measured(stem, errors="3", rows="Yes")
    assert healthy == measured(stem, errors="[N/A]", rows="[N/A]")
    faulty(torch, monkeypatch, "__matmul__", 7)
    assert healthy | {"same_runs": 17} == measured(stem)


@pytest.mark.torch
def test_a_link_below_its_best_is_found(measured: Any) -> None:
    found = measured("the_link_gives_its_rate", link="3, 5, 8, 16")
    assert (3, 5) == (found["generation"], found["highest_generation"])
    assert (8, 16) == (found["width"], found["highest_width"])


@pytest.mark.torch
def test_a_clock_that_heat_slows_is_found(measured: Any) -> None:
    stem = "the_clock_holds_under_load"
    assert {"samples": [0.0]} == measured(stem)["slowed_share"]
    found = measured(stem, clocks="495, 1980, 0x0000000000000044, 93")
    assert {"samples": [0.25] * 3} == found["clock_share"]
    assert {"samples": [1.0]} == found["slowed_share"]


@pytest.mark.torch
@pytest.mark.parametrize(
    ("stem", "answers", "message"),
    [
        ("the_link_gives_its_rate", {"link": "[N/A], [N/A], [N/A], [N/A]"}, "PCIe"),
        ("the_clock_holds_under_load", {"clocks": "not a valid field"}, "clocks"),
    ],
)
def test_what_the_driver_does_not_tell_is_out_of_scope(
    stem: str, answers: dict[str, str], message: str, measured: Any
) -> None:
    with pytest.raises(SkipTest, match=f"the driver does not tell the {message}"):
        measured(stem, **answers)


@pytest.mark.torch
def test_a_gpu_without_a_known_data_sheet_is_out_of_scope(
    measured: Any, torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stem = "the_gpu_nears_its_data_sheet"
    assert {"product_share", "memory_share"} == measured(stem).keys()
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "NVIDIA T4")
    with pytest.raises(SkipTest, match="no data sheet of NVIDIA T4: add its line"):
        measured(stem)


@pytest.mark.torch
def test_the_host_is_compared_with_the_link(measured: Any) -> None:
    found = measured("the_host_keeps_up_with_the_link")
    assert all(share > 0 for share in found["host_speedup"]["samples"])
