"""
Results are as if calls waited
==============================

Do results change because calls return before their work is done? Within one stream, they do
not: training far ahead of the GPU gives the same weights, bit for bit, as training with
``CUDA_LAUNCH_BLOCKING=1``, where each launch waits. Meanwhile, the host does work of its own.
"""

import json
import os
import subprocess
import sys

# %%
# The program trains a small network, twice: the first time loads all kernels. The second time, a
# kernel that only sleeps holds the GPU (its function is private to PyTorch and may change).

PROGRAM = """
import hashlib, json
import torch

def train(cycles):
    torch.manual_seed(0)
    layers = torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 1)
    model = torch.nn.Sequential(*layers).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
    batch, target = torch.randn(128, 64, device="cuda"), torch.ones(128, 1, device="cuda")
    held = torch.cuda.Event()
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    held.record()
    for _ in range(10):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(batch), target).backward()
        optimizer.step()
    return model, held
"""

# %%
# All ten steps are called; has the GPU begun with the first? The host then works for a while by
# itself, and is done before the GPU is. Last, it reads the weights, which waits for them.

PROGRAM += """
train(1)
model, held = train(400_000_000)
is_ahead = not held.query()
by_host = sum(number * number for number in range(100_000))
is_ahead_still = not held.query()
weights = torch.cat([p.detach().flatten() for p in model.parameters()]).cpu()
digest = hashlib.sha256(weights.numpy().tobytes()).hexdigest()
print(json.dumps([is_ahead, is_ahead_still, by_host, digest, len(weights)]))
"""

# %%
# CUDA reads the variable when it starts: each run is a process of its own. All run at once.


def start(blocking):
    environment = {**os.environ, "CUDA_LAUNCH_BLOCKING": blocking}
    command, pipe = [sys.executable, "-c", PROGRAM], subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, text=True)


def result(process):
    said = process.communicate()[0]
    if process.returncode:
        raise RuntimeError(f"the program failed: {process.returncode}")
    return json.loads(said.splitlines()[-1])


RUNS = 2
started = [[start(value) for _ in range(RUNS)] for value in "01"]
default, blocking = ([result(process) for process in way] for way in started)
for way, found in {"default": default, "blocking": blocking}.items():
    for is_ahead, is_ahead_still, _, digest, _ in found:
        print(f"{way:>8}: ahead {is_ahead}, {is_ahead_still}; weights {digest[:12]}")

# %%
# Runs that were ahead of the GPU, and the number of different results among all runs.

measured = {
    "runs": RUNS,
    "weights": default[0][4],
    "ahead": sum(found[0] for found in default),
    "ahead_after_host_work": sum(found[1] for found in default),
    "ahead_blocking": sum(found[0] for found in blocking),
    "different_results": len({found[3] for found in default + blocking}),
}
