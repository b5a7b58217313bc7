"""Examples that run on any machine do so on the CPU: ``nox -s tests -- torch``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest
from conftest import ROOT

pytestmark = pytest.mark.torch

ON_CPU = {"places": "cpu", "pinned": False, "learnt": True}

#: Groups of calls: how many, and what all of them do without a GPU.
CALLS = {
    "asking": (6, "run"),
    "idle": (5, "run"),
    "using": (12, "raise"),
    "softened": (3, "warn"),
    "found": (1, "run"),
}
GROUPS = [
    {"group": group, "calls": calls}
    | {
        f"{kind}_{where}": calls * (kind == does)
        for kind in ("run", "warn", "raise")
        for where in ("with", "without")
    }
    for group, (calls, does) in CALLS.items()
]

#: What a first loop's mistakes say where PyTorch was built without CUDA: some are none there.
SAID = {
    "batch": "trained on cpu and learned: True",
    "numpy": "trained on cpu and learned: True",
    "label": "IndexError: Target 3 is out of bounds.",
    "label_on_the_cpu": "IndexError: Target 3 is out of bounds.",
    "no_gpu": "AssertionError: Torch not compiled with CUDA enabled",
    "file": "loaded on cpu",
}
MISTAKES = [
    {"mistake": name, "said": said, "printed": "nothing"} for name, said in SAID.items()
]

#: Examples on code for any device, and what they measure where there is no GPU.
ANYWHERE: dict[str, dict[str, object]] = {
    "one_program_runs_with_and_without_a_gpu": {
        "found": "cpu",
        "runs": {"table": [{"run": run, **ON_CPU} for run in ("as_it_is", "hidden")]},
    },
    "some_calls_need_an_accelerator": {"groups": {"table": GROUPS}},
    "like_keeps_the_layout_and_new_does_not": {
        "source_pinned": False,
        "pinned": 0,
        "classes_of_parameter": "Tensor",
        "cut_off": "0 0 1 0 0",
    },
    "a_new_tensor_in_forward_follows_its_input": {"factory": True, "attribute": True},
    "a_first_training_loop_on_a_gpu": {
        "same_classes": 1000,
        "probabilities_agree": True,
    },
    "a_first_loop_meets_these_errors": {"by_mistake": {"table": MISTAKES}},
    "tensors_on_different_devices_raise": {"forms": 13, "cured": 13},
}

#: The experiments of the chapters for learners, which run without a GPU and say what is missing.
LEARN = sorted((ROOT / "examples" / "learn").glob("*.py"))

RUN = """
import json, runpy, sys
measured = runpy.run_path(sys.argv[1])["measured"]
print(json.dumps(measured, default=str))
"""


def measured_without_a_gpu(stem: str) -> dict[str, object]:
    """What an example measures from which every GPU is hidden; warnings are errors."""
    script = ROOT / "examples" / "devices" / f"{stem}.py"
    command = [sys.executable, "-W", "error", "-c", RUN, str(script)]
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    output = subprocess.check_output(command, env=environment, text=True)
    measured: dict[str, object] = json.loads(output.splitlines()[-1])
    return measured


@pytest.mark.parametrize("stem", ANYWHERE)
def test_an_example_for_any_device_runs_without_a_gpu(stem: str) -> None:
    measured = measured_without_a_gpu(stem)

    assert ANYWHERE[stem] == {name: measured[name] for name in ANYWHERE[stem]}


@pytest.mark.parametrize("script", LEARN, ids=attrgetter("stem"))
def test_a_learners_script_runs_without_a_gpu(script: Path) -> None:
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    errors = "-W", "error", "-W", "ignore:This process", "-W", "ignore:This Data"

    run = subprocess.run(
        [sys.executable, *errors, str(script)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,  # a minute, with room for a test beside it
        check=False,
    )

    assert (0, "") == (run.returncode, run.stderr)
    assert run.stdout
