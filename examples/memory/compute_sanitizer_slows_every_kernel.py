"""
compute-sanitizer slows every kernel
====================================

What does compute-sanitizer cost? Kernels run many times slower. Without PyTorch's cache, a step
also allocates from CUDA each time, with or without the tool.
"""

# sphinx_gallery_evidence = {"timeout": 600, "processes": 1}
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import unittest

PLACES = os.environ.get("PATH", "") + ":/usr/local/cuda/bin"
TOOL = shutil.which("compute-sanitizer", path=PLACES)
if TOOL is None:
    raise unittest.SkipTest("compute-sanitizer is not installed")

# %%
# A small training step, timed in the process itself, after two that are not counted.

PROGRAM = """
import json, time
import torch

layers = [torch.nn.Linear(1024, 1024, device="cuda") for _ in range(4)]
model, batch = torch.nn.Sequential(*layers), torch.randn(1024, 1024, device="cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
taken = []
for _ in range(12):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    model(batch).relu().square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.cuda.synchronize()
    taken.append(time.perf_counter() - begin)
print("TAKEN" + json.dumps(taken[2:]))
"""


def timed(*tool, cached=True):
    environment = {**os.environ}
    environment.pop("PYTORCH_NO_CUDA_MEMORY_CACHING", None)
    if not cached:
        environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
    command = [*tool, sys.executable, "-c", PROGRAM]
    pipe = {"capture_output": True, "text": True, "check": True}
    text = subprocess.run(command, env=environment, **pipe).stdout
    return json.loads(re.search(r"TAKEN(\[.*\])", text)[1])


# %%
# One process after the other: they would share the GPU.

WAYS = {
    "neither": {"tool": (), "cached": True},
    "without the cache": {"tool": (), "cached": False},
    "memcheck without the cache": {
        "tool": (TOOL, "--tool", "memcheck"),
        "cached": False,
    },
    "initcheck without the cache": {
        "tool": (TOOL, "--tool", "initcheck"),
        "cached": False,
    },
}
found = {name: timed(*way["tool"], cached=way["cached"]) for name, way in WAYS.items()}
base = statistics.median(found["neither"])
rows = []
for name, taken in list(found.items())[1:]:
    rows.append({"way": name, "step_slowdown": {"samples": [t / base for t in taken]}})
    print(f"{name}: a step {statistics.median(taken) / base:.1f}x")

measured = {"by_way": {"table": rows}}
