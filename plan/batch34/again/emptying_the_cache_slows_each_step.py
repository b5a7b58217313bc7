"""
Emptying the cache slows each step
==================================

What does ``empty_cache()`` in every step cost? It gives the memory of freed tensors back to the
driver, and the next step has to ask for it again. Both take time, and giving memory back waits for
the GPU. The peak of what tensors need stays the same.
"""

import time
from statistics import median

import torch

# %%
# A small step and a large one: the same layers, with a small and with a large batch.

LAYERS, WIDTH, ROUNDS = 8, 1024, 10
BATCHES = (64, 4096)
torch.manual_seed(0)
with torch.device("cuda"):
    layers = [torch.nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS)]
    model = torch.nn.Sequential(
        *(part for x in layers for part in (x, torch.nn.ReLU()))
    )
    batches = {rows: torch.randn(rows, WIDTH) for rows in BATCHES}
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def train(rows):
    model(batches[rows]).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()


def emptied(rows):
    train(rows)
    torch.cuda.empty_cache()


# %%
# How often does a step ask the driver for memory, and what is its peak?

STEPS = 5


def count(way, rows):
    for _ in range(3):  # until it has all that it reuses
        way(rows)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_stats()["num_device_alloc"]
    for _ in range(STEPS):
        way(rows)
    calls = torch.cuda.memory_stats()["num_device_alloc"] - before
    return calls, torch.cuda.max_memory_allocated()


# %%
# Seconds of a step. At the end of the last one, the host waits for the GPU.


def seconds(way, rows):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(STEPS):
        way(rows)
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS


WAYS = (train, emptied)
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for rows in BATCHES:
        seconds(train, rows), seconds(emptied, rows)
found, counts = {}, []
for rows in BATCHES:
    added = []
    for turn in range(ROUNDS):  # forwards and backwards in turn
        order = (WAYS, WAYS[::-1])[turn % 2]
        seconds(order[0], rows)  # not counted: what the other way has left behind
        times = {}
        for way in order:
            way(rows)
            times[way] = seconds(way, rows)
        added.append(times[emptied] / times[train] - 1)
    found[rows] = added
    calls, peak = count(train, rows)
    calls_emptied, peak_emptied = count(emptied, rows)
    row = {"rows": rows, "calls": calls, "emptied_calls": calls_emptied}
    counts.append(row | {"peak_bytes": peak, "emptied_peak_bytes": peak_emptied})
    print(row, f"{median(added):.0%} longer")

# %%
# Counts and peaks are exact; times are given as what emptying adds, as a share of the step.

measured = {
    "steps": STEPS,
    "by_rows": {"table": counts},
    "small_added_share": {"samples": found[64]},
    "large_added_share": {"samples": found[4096]},
}
