"""
A pinned batch reuses its block
===============================

Does ``DataLoader(pin_memory=True)`` allocate pinned memory for every batch? Only until
there are enough blocks: a batch that the loop drops leaves its block to a later one.
Batches of very different sizes, kept or prefetched batches need their own blocks.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
# sphinx_gallery_quiet = "host"

import time
from itertools import pairwise
from statistics import median

import torch
from torch.utils.data import DataLoader

# %%
# The pinned-memory allocator counts how often it asks CUDA for memory. Emptying its
# cache makes each case start from scratch. (The function is public as of PyTorch 2.12.)

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache
torch.cuda.init()


def allocations():
    return torch.cuda.host_memory_stats()["num_host_alloc"]


# %%
# An epoch, reduced to its effect on host memory. The wait stands for a training step,
# after which the copy is done. A loop can also be slower than its loader.

SAMPLES, BATCH = 1000, 64
dataset = torch.ones(SAMPLES, 2**16, dtype=torch.uint8)


def epoch(kept=None, away_s=0.0, **options):
    before = allocations()
    for batch in DataLoader(dataset, pin_memory=True, **options):
        batch.to("cuda", non_blocking=True)
        torch.cuda.synchronize()
        time.sleep(away_s)
        if kept is not None:
            kept.append(batch)
    return allocations() - before


def of_lengths(lengths):
    return {"batch_sampler": [list(range(length)) for length in lengths]}


# %%
# Batches of one size, except for the last one; batches whose sizes round up to the same
# power of two, as blocks do; and batches across many powers of two. Then batches that
# the loop keeps, and batches from workers, each of which prefetches several.

NEAR, FAR = (64, 33, 40, 50, 60, 35, 64), (1, 2, 4, 8, 16, 32, 64)
WORKERS, EACH = 2, 3
workers = {"num_workers": WORKERS, "prefetch_factor": EACH, "away_s": 0.02}

cases = {
    "equal": {"batch_size": BATCH},
    "near": of_lengths(NEAR),
    "far": of_lengths(FAR),
    "kept": {"batch_size": BATCH, "kept": []},
    "workers": {"batch_size": BATCH, "multiprocessing_context": "fork", **workers},
}
table = []
for name, options in cases.items():
    empty_host_cache()
    first = epoch(**options)
    options.pop("kept", None)
    table.append({"sizes": name, "first": first, "second": epoch(**options)})
    print(f"{name:>7}: {first} allocations, in the second epoch {table[-1]['second']}")

# %%
# A copy that has not run yet keeps its block even after the loop has dropped the batch,
# so later batches cannot overwrite it, and all of them arrive.

FLIGHT, CYCLES = 8, 200_000_000
numbered = [torch.full((2**20,), float(number)) for number in range(FLIGHT)]
empty_host_cache()
before = allocations()
torch.cuda._sleep(CYCLES)  # holds the stream, as a long step would
loader = DataLoader(numbered, batch_size=None, pin_memory=True)
arrived = [batch.to("cuda", non_blocking=True) for batch in loader]
held_back = not torch.cuda.current_stream().query()
in_flight = allocations() - before
right = sum(bool((gpu == n).all()) for n, gpu in enumerate(arrived))
print(f"{in_flight} blocks for {FLIGHT} batches in flight; {right} arrived")

# %%
# What an allocation costs: the first batch compared with later ones, all of them ready.

ready = list(torch.ones(8, 32 * 2**20, dtype=torch.uint8))
slowdowns = []
for _ in range(5):
    empty_host_cache()
    clock = [time.perf_counter()]
    for _ in DataLoader(ready, batch_size=None, pin_memory=True):
        clock.append(time.perf_counter())
    taken = [end - begin for begin, end in pairwise(clock)]
    slowdowns.append(taken[0] / median(taken[2:]))  # two blocks are needed in turn
print(f"the first batch takes {median(slowdowns):.0f} times as long to pin")

measured = {
    "workers": WORKERS,
    "each": EACH,
    "batches": -(-SAMPLES // BATCH),
    "far_sizes": len(FAR),
    "by_sizes": {"table": table},
    "flight": FLIGHT,
    "held_back": held_back,
    "in_flight": in_flight,
    "right": right,
    "ready_bytes": ready[0].nbytes,
    "first_slowdown": {"samples": slowdowns},
}
