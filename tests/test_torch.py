"""What only shows with torch, on the CPU: ``nox -s tests -- torch``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from evidence.examples.script import read_script
from evidence.measure import Failure, Recording
from evidence.measure.campaign import Campaign, probe
from evidence.measure.machine import Machine
from evidence.records.model import Timing

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.torch

HEADER = '"""\nTitle\n=====\n\nText.\n"""\n# sphinx_gallery_evidence = {settings}\n'


def measure(folder: Path, code: str, **settings: object) -> Recording | Failure:
    script = folder / "example.py"
    script.write_text(HEADER.format(settings={"gpus": 0, **settings}) + code)
    campaign = Campaign(Machine(probe(), []), lambda _: None)
    (result,) = campaign.run([read_script(script)])
    return result


def forked_and_fresh(folder: Path, code: str) -> list[object]:
    """What ``measured["seen"]`` is in a forked process, and in a fresh interpreter."""
    results = [measure(folder, code, fresh=fresh) for fresh in (False, True)]
    assert all(isinstance(result, Recording) for result in results), results
    return [result.record.cells["seen"].value for result in results]


def test_the_fork_server_has_torch_loaded(tmp_path: Path) -> None:
    code = "import sys\nmeasured = {'seen': 'torch' in sys.modules}\n"

    assert [True, False] == forked_and_fresh(tmp_path, code)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a share is all there is")
def test_torch_has_a_thread_for_each_core_of_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = tuple(sorted(os.sched_getaffinity(0)))[:1]
    monkeypatch.setattr("evidence.measure.machine.share_out", lambda *_: [share])
    code = "import torch\nmeasured = {'seen': torch.get_num_threads()}\n"

    assert [1, 1] == forked_and_fresh(tmp_path, code)


def test_the_first_profiler_of_a_forked_process_imports_no_compiler(
    tmp_path: Path,
) -> None:
    code = (
        "import sys, torch\n"
        "from torch.profiler import ProfilerActivity, profile\n"
        "before = 'torch._dynamo' in sys.modules\n"
        "with profile(activities=[ProfilerActivity.CPU], acc_events=True):\n"
        "    pass\n"
        "measured = {'seen': ('torch._dynamo' in sys.modules) is not before}\n"
    )

    assert [False, True] == forked_and_fresh(tmp_path, code)


def test_a_variable_that_torch_reads_when_loaded_needs_a_fresh_interpreter(
    tmp_path: Path,
) -> None:
    code = (
        "import os\n"
        "os.environ['TORCH_ALLOW_TF32_CUBLAS_OVERRIDE'] = '1'\n"
        "import torch\n"
        "measured = {'seen': torch.backends.cuda.matmul.allow_tf32}\n"
    )

    assert [False, True] == forked_and_fresh(tmp_path, code)


def test_a_measurement_of_the_benchmark_timer_is_a_timing(tmp_path: Path) -> None:
    code = (
        "import torch\n"
        "from torch.utils.benchmark import Timer\n"
        "x = torch.ones(8)\n"
        "timer = Timer('x + 1', globals={'x': x})\n"
        "measured = {'add_s': timer.blocked_autorange(min_run_time=0.05)}\n"
    )

    result = measure(tmp_path, code, processes=2)

    assert isinstance(result, Recording)
    cell = result.record.cells["add_s"]
    assert isinstance(cell, Timing)
    assert 0 < cell.value < 1e-3


def test_every_process_draws_the_same_random_numbers(tmp_path: Path) -> None:
    code = "import torch\nmeasured = {'drawn': float(torch.rand(()))}\n"

    result = measure(tmp_path, code, processes=2)

    assert isinstance(result, Recording)


def test_type_names_of_tensors_are_recorded_for_code_links(tmp_path: Path) -> None:
    code = "import torch\nx = torch.ones(2)\nmeasured = {'n': len(x)}\n"

    result = measure(tmp_path, code)

    assert isinstance(result, Recording)
    assert result.record.names == {"x": "torch.Tensor"}


def test_the_fingerprint_names_the_torch_version() -> None:
    assert probe().torch.startswith("2.")


def test_without_a_gpu_an_example_that_needs_one_says_so(tmp_path: Path) -> None:
    result = measure(tmp_path, "measured = {'n': 1}\n", gpus=1)

    assert isinstance(result, Failure)
    assert result.cause.text == "needs 1 GPUs, this machine has 0"
