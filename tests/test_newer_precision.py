"""Precision settings of the tests' torch, which need no GPU to be set and read: ``-- torch``.

What the pages say of the records' version holds in that version, too.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from conftest import ROOT

pytestmark = pytest.mark.torch

#: What an example would compute on the GPU stays on the CPU: what is set and read is asked for.
PROGRAM = """
import json, runpy, sys
import torch
torch.Tensor.cuda = lambda tensor: tensor
print(json.dumps(runpy.run_path(sys.argv[1])["measured"]))
"""

#: Where convolutions and recurrent layers inherit, although nobody removed their own setting.
INHERITED = {
    *(f"backends {word}, cudnn ieee" for word in ("none", "ieee", "tf32")),
    "backends ieee, cudnn none",
}


@functools.cache
def measured(stem: str) -> dict[str, Any]:
    script = ROOT / "examples" / "precision" / f"{stem}.py"
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, str(script)]
    output = subprocess.check_output(command, env=environment, text=True)
    answers: dict[str, Any] = json.loads(output.splitlines()[-1])
    return answers


@pytest.mark.parametrize("operator", ["conv", "rnn"])
def test_a_wide_setting_is_above_the_default_of_a_convolution(operator: str) -> None:
    rows = measured("a_setting_is_inherited_unless_set")["by_settings"]["table"]
    last = ", own as by default"
    default = {
        row["settings"]: row[operator] for row in rows if last in row["settings"]
    }

    in_full = {
        name.removesuffix(last) for name, word in default.items() if word == "ieee"
    }

    assert 9 == len(default)
    assert INHERITED == in_full


def test_everything_is_by_the_rule() -> None:
    found = measured("a_setting_is_inherited_unless_set")

    assert found["reads"] == found["reads_by_rule"]


def test_mixing_raises_only_when_read() -> None:
    found = measured("old_and_new_settings_mix_silently")

    assert 0 == found["setting_raised"]
    assert 11 == found["order_matters"]
    assert 3 == found["precision_is_wrong"]
    assert "ieee" == found["conv_with_newer_alone"]
    assert found["some_getter_raises"] > 0


def test_wrong_names_are_silent_and_wrong_values_raise() -> None:
    found = measured("misspelt_settings_are_silent")
    said = {row["statement"]: row["said"] for row in found["by_statement"]["table"]}
    matmul = "cuda.matmul.fp32_precision"

    assert 7 == found["silent_names"]
    assert 0 == found["names_that_change"]
    # Until 2.15, as in the torch that is pinned for tests.
    assert "RuntimeError: Unknown precision: bfx9" == said[f"{matmul} = 'bfx9'"]
    assert "RuntimeError: Unknown precision: TF32" == said[f"{matmul} = 'TF32'"]
