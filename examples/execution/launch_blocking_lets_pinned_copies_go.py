"""
Launch blocking lets pinned copies go
=====================================

Does every call wait with ``CUDA_LAUNCH_BLOCKING=1``? The variable is about launches: of kernels,
and of graphs. A copy between the GPU and pinned memory is none, and with ``non_blocking=True`` it
still returns before it is done.
"""

# sphinx_gallery_evidence = {"processes": 1}
import json
import os
import subprocess
import sys

# %%
# Each call is one that takes long enough to tell: does it return before half of its work is done?
# The kernel in the graph only sleeps, and its function is private to PyTorch and may change.

PROGRAM = """
import json, time
import torch

SIZE, TRIES = 2**28, 5  # bytes: some milliseconds of copying
a = torch.randn(4096, 4096, device="cuda")
host = torch.ones(SIZE, dtype=torch.uint8).pin_memory()
gpu = torch.zeros(SIZE, dtype=torch.uint8, device="cuda")
torch.cuda._sleep(1)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    torch.cuda._sleep(40_000_000)

def returns_early(call):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    call()
    returned = time.perf_counter()
    torch.cuda.synchronize()
    return returned - begin < 0.5 * (time.perf_counter() - begin)

WAYS = {
    "matmul": lambda: a @ a,
    "graph": graph.replay,
    "to the GPU": lambda: gpu.copy_(host, non_blocking=True),
    "to the host": lambda: host.copy_(gpu, non_blocking=True),
    "to the GPU, blocking": lambda: gpu.copy_(host),
}
"""

# %%
# A copy to the host that has returned is not done: the host still finds the old number at its end.

PROGRAM += """
def is_stale():
    gpu.fill_(2)
    host.fill_(1)
    host.copy_(gpu, non_blocking=True)
    number = int(host[-1])  # read too early
    torch.cuda.synchronize()
    return number == 1 and int(host[-1]) == 2

early = {}
for name, call in WAYS.items():
    returns_early(call)
    early[name] = sum(returns_early(call) for _ in range(TRIES))
stale = sum(is_stale() for _ in range(TRIES))
print(json.dumps([TRIES, early, stale]), flush=True)
"""

# %%
# Count without the variable, and with it.


def run(blocking):
    command = [sys.executable, "-c", PROGRAM]
    environment = {**os.environ, "CUDA_LAUNCH_BLOCKING": blocking}
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert process.stdout, process.stderr[-2000:]
    return json.loads(process.stdout.splitlines()[-1])


(tries, early, stale), (_, early_blocking, stale_blocking) = run("0"), run("1")
rows = []
for name in early:
    row = {"call": name, "early": early[name], "early_blocking": early_blocking[name]}
    rows.append(row)
    print("{:>20}: returned early {} times, with the variable {}".format(*row.values()))
print(f"read too early: {stale} times, with the variable {stale_blocking}")

measured = {"tries": tries, "by_call": {"table": rows}}
measured["stale_blocking"] = stale_blocking
