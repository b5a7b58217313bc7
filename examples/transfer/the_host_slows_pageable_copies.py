"""
The host slows pageable copies
==============================

How predictable is the time that a copy takes? A pageable copy needs the host's help, so
a busy host slows it down. A busy host slows a pinned copy less, and which core calls
hardly matters to it.
"""

# sphinx_gallery_quiet = "host"
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles

import torch

# %%
# The two kinds of copy take turns, each from the next part of a larger buffer. Every
# second time, the pinned copy goes first.

LARGE, SMALL, PARTS, ROUNDS, CORES = 2**26, 2**20, 4, 40, 4
pageable = torch.ones(PARTS * LARGE, dtype=torch.uint8)
pinned = pageable.pin_memory()
target = torch.empty(LARGE, dtype=torch.uint8, device="cuda")


def seconds(memory, size, number):
    begin = number % PARTS * LARGE
    torch.cuda.synchronize()
    start = time.perf_counter()
    target[:size].copy_(memory[begin : begin + size])
    torch.cuda.synchronize()
    return time.perf_counter() - start


def times(size, rounds):
    taken = {"pageable": [], "pinned": []}
    for number in range(rounds):
        order = [(pageable, "pageable"), (pinned, "pinned")]
        for memory, kind in order[:: (-1) ** number]:
            taken[kind].append(seconds(memory, size, number))
    return taken


warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    times(LARGE, PARTS)

# %%
# On a quiet host, how much longer do the slow copies take than the fast ones? Slow and
# fast are the ninth and the first decile of the times.


def spreads(taken):
    tenths = {kind: quantiles(times, n=10) for kind, times in taken.items()}
    return {f"{kind}_spread_share": t[-1] / t[0] - 1 for kind, t in tenths.items()}


quiet = {size: times(size, ROUNDS) for size in (SMALL, LARGE)}
for size, taken in quiet.items():
    shown = ", ".join(f"{share:.1%}" for share in spreads(taken).values())
    print(f"{size:>10,} bytes: pageable, pinned take {shown} longer")

# %%
# On a busy host, threads keep copying memory on three quarters of the cores.

allowed = sorted(os.sched_getaffinity(0))
busy_threads = len(allowed) * 3 // 4
stop, begun = threading.Event(), threading.Barrier(busy_threads + 1)


def keep_busy():
    torch.set_num_threads(1)
    source = torch.ones(2**24, dtype=torch.uint8)
    copy = source.clone()
    begun.wait()
    while not stop.is_set():
        copy.copy_(source)


with ThreadPoolExecutor(busy_threads) as pool:
    for _ in range(busy_threads):
        pool.submit(keep_busy)
    begun.wait()
    busy = times(LARGE, ROUNDS // 2)
    stop.set()
slowdowns = {kind: median(busy[kind]) / median(quiet[LARGE][kind]) for kind in busy}
print("slower beside them: {:.2f}, {:.2f} times".format(*slowdowns.values()))

# %%
# Make pinned copies from one core after another: how much slower is the slowest? And
# how many memory nodes does the machine show?

by_core = []
for core in allowed[:: max(1, len(allowed) // CORES)]:
    os.sched_setaffinity(0, {core})
    by_core.append(median(seconds(pinned, LARGE, i) for i in range(ROUNDS)))
os.sched_setaffinity(0, allowed)
core_ratio = max(by_core) / min(by_core)
nodes = len(list(Path("/sys/devices/system/node").glob("node[0-9]*")))
print(f"slowest core over fastest: {core_ratio:.2f}; nodes of memory: {nodes}")

# %%
# Slowdowns are for the large copies.

table = []
for size, taken in quiet.items():
    samples = {name: {"samples": [share]} for name, share in spreads(taken).items()}
    table.append({"size_bytes": size} | samples)
measured = {
    "by_size": {"table": table},
    "size_bytes": LARGE,
    "rounds": ROUNDS,
    "nodes": nodes,
    "pageable_busy_slowdown": {"samples": [slowdowns["pageable"]]},
    "pinned_busy_slowdown": {"samples": [slowdowns["pinned"]]},
    "pinned_core_ratio": {"samples": [core_ratio]},
}
