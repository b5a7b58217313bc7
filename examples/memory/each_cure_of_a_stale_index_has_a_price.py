"""
Each cure of a stale index has a price
======================================

A loop fills a pinned buffer with the indices of each step and sends it to the GPU. What does it
cost to do that safely? An event for each of two buffers, a fresh pinned tensor for each step, and a
copy that waits are timed against the loop that overwrites its buffer too early.
"""

# sphinx_gallery_quiet = "host"
import time
from itertools import cycle
from statistics import median

import torch

# %%
# What a step sends is small. What it computes takes the GPU longer than the host, or not as long.

PLACES, STEPS, ROUNDS = 8192, 60, 5
numbers = torch.arange(PLACES)
table = torch.ones(PLACES, 64, device="cuda")
square = torch.ones(4096, 4096, dtype=torch.bfloat16, device="cuda")


def compute(index, products):
    table[index].sum()
    for _ in range(products):
        square @ square


# %%
# The unsafe loop and three safe ones. Two buffers let the host fill one while the other waits for
# its copy.

buffers = [torch.empty(PLACES, dtype=torch.int64).pin_memory() for _ in range(2)]
events = [torch.cuda.Event() for _ in range(2)]
turns = cycle(zip(buffers, events))


def overwrite():
    buffers[0].copy_(numbers)
    return buffers[0].to("cuda", non_blocking=True)


def wait_for_event():
    buffer, copied = next(turns)
    copied.synchronize()
    buffer.copy_(numbers)
    index = buffer.to("cuda", non_blocking=True)
    copied.record()
    return index


def pin_afresh():
    return numbers.pin_memory().to("cuda", non_blocking=True)


def wait_for_copy():
    buffers[0].copy_(numbers)
    return buffers[0].to("cuda")


WAYS = {
    "overwritten": overwrite,
    "event": wait_for_event,
    "fresh": pin_afresh,
    "blocking": wait_for_copy,
}

# %%
# Time whole loops, to the end of their work on the GPU. The ways take turns.


def seconds(way, products):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(STEPS):
        compute(way(), products)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for way in WAYS.values():
        seconds(way, 1)
rows = []
for load, products in {"small": 0, "large": 8}.items():
    times = [
        {n: seconds(way, products) for n, way in WAYS.items()} for _ in range(ROUNDS)
    ]
    row = {"load": load, "step_s": {"samples": [t["overwritten"] for t in times]}}
    for name in list(WAYS)[1:]:
        ratios = [t[name] / t["overwritten"] for t in times]
        row[f"{name}_ratio"] = {"samples": ratios}
        print(f"{load} step, {name}: {median(ratios):.2f} times as long")
    rows.append(row)

# %%
# With the GPU held, no copy is done: how many pinned blocks do as many fresh tensors take?

HELD = 20
torch.accelerator.empty_host_cache()
before = torch.cuda.host_memory_stats()["num_host_alloc"]
torch.cuda._sleep(200_000_000)
for _ in range(HELD):
    pin_afresh()
held_blocks = torch.cuda.host_memory_stats()["num_host_alloc"] - before
torch.cuda.synchronize()
print(f"{held_blocks} pinned blocks for {HELD} steps in a row")

# %%
# Times of a step relative to the unsafe loop.

measured = {
    "by_load": {"table": rows},
    "held_blocks": {"samples": [held_blocks]},
    "held_steps": HELD,
}
