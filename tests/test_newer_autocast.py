"""Autocast of the newer torch does what the records say, on fake CUDA tensors: ``-- torch``.

A fake tensor has a type and a device but no data, so autocast casts it where there is no GPU.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT
from evidence.records.model import Plain, Table
from evidence.records.store import load

pytestmark = pytest.mark.torch

#: Operators that ask the GPU about itself, which a fake tensor cannot answer; and one for which
#: it matters what the CPU supports.
NOT_COMPARED = {
    "mkldnn_rnn_layer",
    *("GRUCell", "LSTMCell", "grid_sample"),
    *("_thnn_fused_gru_cell", "_thnn_fused_lstm_cell"),
    *("cudnn_convolution", "cudnn_convolution_transpose", "_cudnn_rnn"),
}

#: What the newer torch casts, and the records' torch did not.
NEWER = {"rms_norm"}

CPU = "the_lists_for_the_cpu_are_right"

#: A table of what autocast does, and the name of its first column.
TABLES = {
    CPU: ("by_operator", "operator"),
    "the_lists_of_autocast_are_right": ("by_name", "name"),
    "autocast_casts_more_than_is_listed": ("by_operator", "operator"),
}

FAKE = """
import contextlib, json, logging, runpy, sys
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
logging.disable()
torch.cuda.amp.common.amp_definitely_not_available = lambda: False
torch.cuda.is_bf16_supported = lambda: True
with FakeTensorMode() if sys.argv[3:] else contextlib.nullcontext(), torch.no_grad():
    measured = runpy.run_path(sys.argv[1])["measured"]
print(json.dumps(measured[sys.argv[2]]["table"]))
"""


def does(rows: list[dict[str, object]], key: str) -> dict[object, object]:
    """What each row says of its operator, but for those that differ by machine."""
    return {row[key]: row["does"] for row in rows if row[key] not in NOT_COMPARED}


@pytest.mark.parametrize("stem", TABLES)
def test_autocast_of_the_newer_torch_casts_what_the_record_says(stem: str) -> None:
    script, (table, key) = ROOT / "examples" / "amp" / f"{stem}.py", TABLES[stem]
    fake = [] if stem == CPU else ["fake"]
    command = [sys.executable, "-c", FAKE, str(script), table, *fake]
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    output = subprocess.check_output(command, env=environment, text=True)
    newer = does(json.loads(output.splitlines()[-1]), key)
    measured = load(script.with_suffix(".json")).measured[table]
    assert isinstance(measured, Table)
    rows = [
        {name: cell.value for name, cell in row.items() if isinstance(cell, Plain)}
        for row in measured.rows
    ]
    recorded = does(rows, key)

    changed = {name for name in newer if newer[name] != recorded.get(name)}

    assert newer
    assert NEWER & newer.keys() == changed
