"""
Sums of gradients may take most of a step
=========================================

Is it the exchange between GPUs that makes my training slow? On two GPUs, the function that tells
where a step spends its time names communication if a step sums many gradients after little work.
"""

# sphinx_gallery_evidence = {"gpus": 2, "timeout": 120}
import json
import os
import socket
import subprocess
import sys

# %%
# The function is that of the example for one GPU.

PROGRAM = """
from itertools import chain, repeat
from time import perf_counter

import torch
from torch.profiler import ProfilerActivity, profile

def run(batches, step, steps=10):
    begin, loading = perf_counter(), 0
    for _ in range(steps):
        asked = perf_counter()
        batch = next(batches)
        loading += perf_counter() - asked
        step(batch)
    torch.cuda.synchronize()
    return perf_counter() - begin, loading

def kinds(event):
    if "HtoD" in event.name or "DtoH" in event.name:
        return ["copies"]
    if event.device_type.name == "CUDA":
        return ["communication" if "nccl" in event.name else "kernels"]
    if "Memcpy" in event.name:  # the host copies, or waits for a copy
        return ["copies", "waits"]
    return ["waits"] if "Synchronize" in event.name else []

def seconds(spans):  # what runs at the same time counts once
    total = end = 0
    for start, stop in sorted(spans):
        total, end = total + max(0, stop - max(start, end)), max(end, stop)
    return total / 1e6

def where_time_goes(loader, step, steps=10):
    batches = chain.from_iterable(repeat(loader))
    for _ in range(2):  # the first time warms up
        left, loading = run(batches, step, steps)
        with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
            run(batches, step, steps)
    spans = {kind: [] for kind in ("kernels", "copies", "communication", "waits")}
    for event in seen.events():
        for kind in kinds(event):
            spans[kind].append((event.time_range.start, event.time_range.end))
    waits, quarter, taken, busy = seconds(spans.pop("waits")), left / 4, {}, []
    for kind in spans:  # each without those before
        before, busy = seconds(busy), busy + spans[kind]
        taken[kind] = seconds(busy) - before
    for kind, found in {**taken, "loader": loading, "waits": waits}.items():
        taken[kind] = min(found, left)
        left -= taken[kind]
    rest = "launches" if left < 1e-4 * len(spans["kernels"]) else "other work"
    taken[rest] = left
    order = "loader", "copies", "waits", "communication", rest
    named = [kind for kind in order if taken[kind] > quarter] + ["kernels"]
    return named[0], {kind: found / steps for kind, found in taken.items()}
"""

# %%
# This program runs once for each GPU. Its step multiplies matrices, and sums a gibibyte of
# gradients, or none. (Multicast over NVLink is off.)

PROGRAM += """
import json, os
import torch.distributed as dist

device = torch.device("cuda", int(os.environ["RANK"]))
torch.cuda.set_device(device)
dist.init_process_group("nccl", device_id=device)
x, gradients = torch.randn(2048, 2048, device=device), torch.zeros(2**28, device=device)
def step(batch):
    batch @ batch
    dist.all_reduce(gradients)
steps = step, lambda batch: batch @ batch
print(json.dumps([where_time_goes([x], step) for step in steps]))
dist.destroy_process_group()
"""

shared = {"MASTER_ADDR": "127.0.0.1", "WORLD_SIZE": "2", "NCCL_NVLS_ENABLE": "0"}
with socket.create_server(("127.0.0.1", 0)) as free:
    shared["MASTER_PORT"] = str(free.getsockname()[1])
command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
places = [{**os.environ, **shared, "RANK": rank} for rank in "01"]
ranks = [subprocess.Popen(command, env=e, stdout=pipe, text=True) for e in places]
found = [json.loads(rank.communicate(timeout=100)[0]) for rank in ranks]

# %%
# What both ranks named, and the share of the sums in the time of the first.

names = [[named for named, _ in rank] for rank in found]
taken = found[0][0][1]
share = taken["communication"] / sum(taken.values())
print(f"with sums, and without: {names}; {share:.0%} of a step")
measured = {
    "ranks": len(names),
    "named": sum(summed == "communication" for summed, _ in names),
    "named_without": sum(alone == "communication" for _, alone in names),
    "sums_share": {"samples": [share]},
}
