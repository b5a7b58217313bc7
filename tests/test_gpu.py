"""What only a GPU does to a process: ``nox -s tests -- gpu``, on the builder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from evidence.examples.script import read_script
from evidence.measure import Failure, Recording
from evidence.measure.campaign import Campaign, probe

if TYPE_CHECKING:
    from pathlib import Path

    from evidence.records.model import Builder

pytestmark = pytest.mark.gpu

HEADER = '"""\nTitle\n=====\n\nText.\n"""\n# sphinx_gallery_evidence = {settings}\n'

GOOD = "import torch\nmeasured = {'n': int(torch.ones(3, device='cuda').sum())}\n"

DEVICE_ASSERT = """\
import torch
values = torch.zeros(4, device="cuda")
values[torch.tensor([9], device="cuda")]
torch.cuda.synchronize()
measured = {"n": 1}
"""

OUT_OF_MEMORY = """\
import torch
torch.empty(2**50, dtype=torch.uint8, device="cuda")
measured = {"n": 1}
"""

TWO = """\
import torch
there = torch.ones(3, device="cuda:1")
measured = {"gpus": torch.cuda.device_count(), "n": int(there.to("cuda:0").sum())}
"""


@pytest.fixture(scope="module")
def builder() -> Builder:
    found = probe()
    assert found.gpus > 0, "these tests need a CUDA GPU"
    return found


def measure(folder: Path, **examples: str) -> dict[str, Recording | Failure]:
    """Measure several examples in one campaign; gives their results by stem."""
    for stem, code in examples.items():
        settings = {"gpus": 2 if "cuda:1" in code else 1, "processes": 1}
        (folder / f"{stem}.py").write_text(HEADER.format(settings=settings) + code)
    scripts = [read_script(folder / f"{stem}.py") for stem in examples]
    campaign = Campaign.here(scripts, lambda _: None)
    results = list(campaign.run(scripts))
    return {
        r.script.stem if isinstance(r, Failure) else r.record.stem: r for r in results
    }


def test_a_device_side_assert_is_named_and_spoils_no_other_example(
    tmp_path: Path,
) -> None:
    results = measure(tmp_path, bad=DEVICE_ASSERT, good=GOOD)

    bad = results["bad"]
    assert isinstance(bad, Failure)
    assert "device-side assert" in bad.cause.text
    assert "Assertion" in bad.tail  # printed from C, beyond Python's streams
    assert isinstance(results["good"], Recording)


def test_running_out_of_gpu_memory_is_named(tmp_path: Path) -> None:
    results = measure(tmp_path, bad=OUT_OF_MEMORY, good=GOOD)

    bad = results["bad"]
    assert isinstance(bad, Failure)
    assert "OutOfMemoryError" in bad.cause.text
    assert isinstance(results["good"], Recording)


def test_the_record_names_the_state_of_the_gpu(tmp_path: Path) -> None:
    result = measure(tmp_path, good=GOOD)["good"]

    assert isinstance(result, Recording)
    assert result.record.processes[0].sm_clock_hz > 0


def test_an_example_that_needs_two_gpus_gets_two_or_says_so(tmp_path: Path) -> None:
    result = measure(tmp_path, pair=TWO)["pair"]

    if builder.gpus >= 2:
        assert isinstance(result, Recording)
        assert [result.record.cells[name].value for name in ("gpus", "n")] == [2, 3]
    else:
        assert isinstance(result, Failure)
        assert result.cause.text == "needs 2 GPUs, this machine has 1"


def test_an_example_sees_only_the_gpus_it_was_lent(tmp_path: Path) -> None:
    code = "import torch\nmeasured = {'gpus': torch.cuda.device_count()}\n"

    result = measure(tmp_path, one=code)["one"]

    assert isinstance(result, Recording)
    assert result.record.cells["gpus"].value == 1
