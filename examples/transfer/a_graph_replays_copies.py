"""
A graph replays copies
======================

Can copies be part of a CUDA graph? From pinned memory they can: each replay copies what is
there then, and launches them all by one call. The memory must stay where it is.
"""

import time
from statistics import median

import torch

# %%
# Small copies, so that their launches take the time.

COPIES, COUNT, ROUNDS = 50, 4096, 20
sources = [torch.ones(COUNT, pin_memory=True) for _ in range(COPIES)]
targets = [torch.empty(COUNT, device="cuda") for _ in range(COPIES)]


def copy_all():
    for source, target in zip(sources, targets):
        target.copy_(source, non_blocking=True)


# %%
# They run once before they are captured, so that everything is loaded.

copy_all()
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    copy_all()

# %%
# A replay copies what the pinned tensors hold by now.

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
# How many replays were right, and how many times as fast they are.

measured = {
    "copies": COPIES,
    "rounds": ROUNDS,
    "right": right,
    "replay_speedup": {"samples": ratios},
}
