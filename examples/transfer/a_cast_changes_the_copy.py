"""
A cast changes the copy
=======================

What does ``non_blocking`` change when the copy also casts, or when the source has gaps?
With the argument, the GPU casts; without it, the host does. That determines how many
bytes cross the link, and from what memory. A source with gaps is always gathered first,
on its own side.
"""

import json
import tempfile
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

# %%
# A pinned matrix of 32-bit floats, and the same matrix on the GPU.

SIDE = 2048  # rows and columns: 16 MiB, more than the driver stages at once
TRIES = 5
HOLD = 30_000_000  # cycles: ten milliseconds or more, on any GPU
pinned, half = torch.ones(SIDE, SIDE, pin_memory=True), torch.float16
gpu, into_gpu = (torch.ones(SIDE, SIDE, device="cuda") for _ in range(2))
gaps, gpu_gaps = pinned[:, ::2], gpu[:, ::2]

# %%
# A cast in each direction, and matrices that are not contiguous.

cases = {
    "cast-to-gpu": lambda free: pinned.to("cuda", half, non_blocking=free),
    "cast-to-host": lambda free: gpu.to("cpu", half, non_blocking=free),
    "transposed-to-gpu": lambda free: pinned.t().to("cuda", non_blocking=free),
    "transposed-into-gpu": lambda free: into_gpu.copy_(pinned.t(), non_blocking=free),
    "gaps-to-gpu": lambda free: gaps.to("cuda", non_blocking=free),
    "into-pinned-gaps": lambda free: gaps.copy_(gpu_gaps, non_blocking=free),
    "into-transposed": lambda free: pinned.t().copy_(gpu, non_blocking=free),
    "into-a-column": lambda free: pinned[:, 0].copy_(gpu[0], non_blocking=free),
    "into-a-row": lambda free: pinned[0].copy_(gpu[0], non_blocking=free),
}

# %%
# What does the GPU do, and how many bytes are copied? The profiler's trace shows both.

BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]


def trace_of(call, non_blocking):
    with profile(activities=BOTH, acc_events=True) as profiler:
        call(non_blocking)
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace.json")
        profiler.export_chrome_trace(str(path))
        return json.loads(path.read_text())["traceEvents"]


# %%
# The copies and kernels in the trace, and the peak of GPU memory during the call.


def seen(call, non_blocking):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    events = trace_of(call, non_blocking)
    copies = [event for event in events if event.get("cat") == "gpu_memcpy"]
    return {
        "bytes": sum(copy["args"]["bytes"] for copy in copies),
        "name": ", ".join(copy["name"] for copy in copies),
        "kernels": sum(event.get("cat") == "kernel" for event in events),
        "peak_bytes": torch.cuda.max_memory_allocated() - before,
    }


# %%
# Does the call return while a sleeping kernel holds the stream?

released = torch.cuda.Event()


def returned_early(call):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    released.record()
    call(True)
    return not released.query()


# %%
# Each case with and without the argument. The first calls load kernels and profiler.

trace_of(cases["cast-to-gpu"], True)
table = []
for name, call in cases.items():
    row = {"case": name}
    for mode, non_blocking in (("default", False), ("free", True)):
        call(non_blocking)
        values = seen(call, non_blocking)
        row |= {f"{mode}_{key}": value for key, value in values.items()}
    row["early"] = sum(returned_early(call) for _ in range(TRIES))
    table.append(row)
    print(", ".join(str(value) for value in row.values()))

# %%
# Counts and bytes.

measured = {"tries": TRIES, "by_case": {"table": table}}
