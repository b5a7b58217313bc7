"""
A graph replays copies
======================

Can a CUDA graph contain copies? From pinned memory it can: a replay launches all of
them in a single call, and each copies what its source holds at that time. The memory
must stay where it is.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# Copies so small that launching them takes most of the time.

COPIES, COUNT, ROUNDS = 50, 4096, 20
sources = [torch.ones(COUNT, pin_memory=True) for _ in range(COPIES)]
targets = [torch.empty(COUNT, device="cuda") for _ in range(COPIES)]


def copy_all():
    for source, target in zip(sources, targets):
        target.copy_(source, non_blocking=True)


# %%
# The copies run once before the capture, so that everything is loaded.

copy_all()
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    copy_all()

# %%
# Each replay copies what the pinned tensors hold at that time.

right = 0
for turn in range(ROUNDS):
    for source in sources:
        source.fill_(turn)
    graph.replay()
    torch.cuda.synchronize()
    right += all((target == turn).all().item() for target in targets)
print(f"right: {right} of {ROUNDS}")

# %%
# The loop and the replay take turns.


def seconds(work):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.2
while time.perf_counter() < warm_until:
    seconds(copy_all), seconds(graph.replay)
ratios = [seconds(copy_all) / seconds(graph.replay) for _ in range(ROUNDS)]
print(f"{median(ratios):.1f} times as fast")

# %%
# How many replays copied the right values, and how much faster they are.

measured = {
    "copies": COPIES,
    "rounds": ROUNDS,
    "right": right,
    "replay_speedup": {"samples": ratios},
}
