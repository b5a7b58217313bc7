"""
The driver counts more than PyTorch
===================================

Why does ``nvidia-smi`` show more than the tensors take? The driver counts the context of CUDA,
loaded kernels and what the allocator keeps; PyTorch counts its own blocks alone. What the driver
counts beyond ``memory_reserved`` stays nearly constant.
"""

# sphinx_gallery_evidence = {"processes": 3}
import torch

MIB = 2**20


def report(when):
    """Print what tensors take, what the allocator holds, and what the driver counts."""
    print(when)
    free, total = torch.cuda.mem_get_info()
    print(f"tensors:   {torch.cuda.memory_allocated() / MIB:8.1f} MiB")
    print(f"allocator: {torch.cuda.memory_reserved() / MIB:8.1f} MiB")
    print(f"driver:    {(total - free) / MIB:8.1f} MiB, all processes")


x = torch.ones(64 * MIB, device="cuda")  # 256 MiB
report("with a tensor")
del x
report("without it")

# %%
# The driver is asked in three ways: by CUDA, by NVML, and by ``nvidia-smi``, which rounds to MiB.

import os
import subprocess
from itertools import pairwise

GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
COUNTS = ("allocated_bytes", "reserved_bytes", "used_bytes", "nvml_bytes", "smi_bytes")
BEYOND = ("beyond_reserved_bytes", "beyond_allocated_bytes")


def smi_bytes():
    query = "--query-gpu=memory.used --format=csv,noheader,nounits"
    command = ["nvidia-smi", *query.split(), f"--id={GPU}"]
    return int(subprocess.check_output(command, text=True)) * MIB


def look(stage):
    torch.cuda.synchronize()
    free, total = torch.cuda.mem_get_info()
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    used = total - free
    found = allocated, reserved, used, torch.cuda.device_memory_used(), smi_bytes()
    row = dict(zip((*COUNTS, *BEYOND), (*found, used - reserved, used - allocated)))
    stages[stage] = row
    print(stage, {name: round(value / MIB, 1) for name, value in row.items()})


# %%
# A script's life, from a first tensor on. Empty tensors launch no kernel, so that no stage but
# the product loads one: a product loads cuBLAS and gets a workspace, kept by PyTorch.

stages = {}
torch.cuda.empty_cache()
look("start")
weights = torch.empty(256 * MIB, dtype=torch.uint8, device="cuda")
look("weights")
a, b, c = (torch.empty(256, 256, device="cuda") for _ in range(3))
a.zero_(), b.zero_()
torch.mm(a, b, out=c)
look("product")
parts = [torch.empty(64 * MIB, dtype=torch.uint8, device="cuda") for _ in range(8)]
look("activations")
del parts
look("freed")
again = [torch.empty(64 * MIB, dtype=torch.uint8, device="cuda") for _ in range(8)]
look("reused")
del again
torch.cuda.empty_cache()
look("emptied")

# %%
# Differences between stages leave out what other processes and the driver itself hold.

OWN = COUNTS[:2]


def given(row):
    return {name: v if name in OWN else {"samples": [v]} for name, v in row.items()}


FELL = ("freed", "emptied")
grew, fell = [], []
for first, last in pairwise(stages):
    before, after = (last, first) if last in FELL else (first, last)
    names = COUNTS[:3] if last in FELL else COUNTS
    change = {name: stages[after][name] - stages[before][name] for name in names}
    (fell if last in FELL else grew).append({"step": last} | given(change))
beyond_reserved = [row["beyond_reserved_bytes"] for row in stages.values()][2:]
beyond_allocated = [row["beyond_allocated_bytes"] for row in stages.values()][2:]

# %%
# Exact: PyTorch's own counts. What the driver counts depends on its version.


def spread(values):
    return {"samples": [max(values) - min(values)]}


measured = {
    "stages": {"table": [{"stage": s} | given(row) for s, row in stages.items()]},
    "grew": {"table": grew},
    "fell": {"table": fell},
    "beyond_reserved_spread_bytes": spread(beyond_reserved),
    "beyond_allocated_spread_bytes": spread(beyond_allocated),
    "nvml_beyond_smi_bytes": {
        "samples": [row["nvml_bytes"] - row["smi_bytes"] for row in stages.values()]
    },
}
