"""
A reused pinned buffer is fastest
=================================

What is the fastest way to bring a result to the host? Copy it into a pinned buffer that
you reuse. ``to("cpu", non_blocking=True)`` comes close once PyTorch's cache holds a
pinned block of that size; ``cpu()`` is slower, since its memory is new and pageable.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Both host buffers are written before anything is timed, so no copy into them pays for
# the first touch of a page.

LARGEST = 64 * 2**20  # bytes: enough for full speed
SIZES = [4**k * 2**10 for k in (1, 3, 5, 7, 8)]  # 4 KiB to 64 MiB
ROUNDS, GB = 3, 1e9

result = torch.ones(LARGEST, dtype=torch.uint8, device="cuda")
pageable = torch.ones(LARGEST, dtype=torch.uint8)
pinned = torch.ones(LARGEST, dtype=torch.uint8, pin_memory=True)
kept = []  # the results of cpu(): while they live, their memory is not reused

# %%
# Four ways to the host. The last one returns a new tensor in pinned memory without
# waiting, so any code that reads the tensor has to wait.


def into_new(size):
    kept.append(result[:size].cpu())


def into_pageable(size):
    pageable[:size].copy_(result[:size])


def into_pinned(size):
    pinned[:size].copy_(result[:size], non_blocking=True)


def without_blocking(size):
    result[:size].to("cpu", non_blocking=True)


# %%
# The time of a copy runs from the call to the last byte.


def seconds(way, size):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    way(size)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# In each round, the cases take turns. Emptying the cache of pinned memory makes the
# next ``to`` a first one, which leaves a block for the one after it.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def one_round(size):
    times = [seconds(way, size) for way in (into_new, into_pageable, into_pinned)]
    empty_host_cache()
    return [*times, seconds(without_blocking, size), seconds(without_blocking, size)]


warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    seconds(into_pageable, LARGEST)
    one_round(SIZES[0])

# %%
# All sizes, from the smallest to the largest.

KINDS = ("new", "pageable", "pinned", "first_use", "cached")
sweep = []
print("            size: new, pageable, pinned; not blocking: first time, again")
for size in SIZES:
    times = list(zip(*(one_round(size) for _ in range(ROUNDS))))
    sweep.append((size, times))
    shown = ", ".join(f"{size / median(kind) / GB:5.2f}" for kind in times)
    print(f"{size:>11,} bytes: {shown} GB/s")

# %%
# A reused pinned buffer or a cached pinned block gets what the link can carry.

_, axes = plt.subplots()
for number, kind in enumerate(KINDS):
    shown = [size / median(times[number]) / GB for size, times in sweep]
    axes.semilogx(SIZES, shown, "o-", base=2, label=kind.replace("_", " "))
axes.set(xlabel="size", ylabel="GB/s")
axes.set_xticks(SIZES, ["4 KiB", "64 KiB", "1 MiB", "16 MiB", "64 MiB"])
axes.legend()
plt.show()

# %%
# Rates are in bytes per second. Slowdowns are relative to the pinned buffer, per round.

table = []
for size, times in sweep:
    row = {"size_bytes": size}
    for kind, taken in zip(KINDS, times):
        row[f"{kind}_bytes_per_s"] = {"samples": [size / t for t in taken]}
        ratios = [t / p for t, p in zip(taken, times[KINDS.index("pinned")])]
        row |= {} if kind == "pinned" else {f"{kind}_slowdown": {"samples": ratios}}
    table.append(row)
measured = {"by_size": {"table": table}}
