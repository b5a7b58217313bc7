"""Autocast of the tests' torch does what the records say, on fake CUDA tensors: ``-- torch``.

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

#: What the tests' torch has, and the records' torch has no more.
GONE = {"cholesky", "qr"}

CPU = "the_lists_for_the_cpu_are_right"

#: A table of what autocast does, the name of its first column, and those that tell what it does.
TABLES = {
    CPU: ("by_operator", "operator", "does"),
    "the_lists_of_autocast_are_right": ("by_name", "name", "does"),
    "autocast_casts_more_than_is_listed": ("by_operator", "operator", "does"),
    "the_spelling_decides_the_type": (
        "by_call",
        "call",
        "from_float32",
        "from_float16",
    ),
}

FAKE = """
import contextlib, json, logging, runpy, sys
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
logging.disable()
torch.cuda.amp.common.amp_definitely_not_available = lambda: False
torch.cuda.is_bf16_supported = lambda: True
for layer in torch.nn.LSTM, torch.nn.LSTMCell:
    layer.forward, layer.reset_parameters = lambda self, x: (x, x), lambda self: None
with FakeTensorMode() if sys.argv[3:] else contextlib.nullcontext(), torch.no_grad():
    measured = runpy.run_path(sys.argv[1])["measured"]
print(json.dumps(measured[sys.argv[2]]["table"]))
"""


def does(
    rows: list[dict[str, object]], key: str, *columns: str
) -> dict[object, list[object]]:
    """What each row says of its operator, but for those that differ by machine."""
    return {
        row[key]: [row[column] for column in columns]
        for row in rows
        if row[key] not in NOT_COMPARED
    }


@pytest.mark.parametrize("stem", TABLES)
def test_autocast_of_the_other_torch_casts_what_the_record_says(stem: str) -> None:
    script, (table, *columns) = ROOT / "examples" / "amp" / f"{stem}.py", TABLES[stem]
    fake = [] if stem == CPU else ["fake"]
    command = [sys.executable, "-c", FAKE, str(script), table, *fake]
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    output = subprocess.check_output(command, env=environment, text=True)
    found = does(json.loads(output.splitlines()[-1]), *columns)
    measured = load(script.with_suffix(".json")).measured[table]
    assert isinstance(measured, Table)
    rows = [
        {name: cell.value for name, cell in row.items() if isinstance(cell, Plain)}
        for row in measured.rows
    ]
    recorded = does(rows, *columns)

    changed = {name for name in found if found[name] != recorded.get(name)}

    assert found
    assert GONE & found.keys() == changed
