"""
The host slows pageable copies
==============================

How predictable is the time of a copy? That of a pinned one hardly depends on the host:
not on what else it does, nor on the core that calls. A pageable copy is work for the
host, and takes longer when the host is busy.
"""

import os
import threading
import time
from pathlib import Path
from statistics import median, quantiles

import torch

# %%
# Large copies, of both kinds in turns, each from the next part of a larger buffer.

SIZE, PARTS, ROUNDS, THREADS, CORES = 2**26, 4, 12, 8, 4
pageable = torch.ones(PARTS * SIZE, dtype=torch.uint8)
pinned = pageable.pin_memory()
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")


def seconds(memory, part):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target.copy_(memory[part * SIZE : (part + 1) * SIZE])
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def pairs(count):
    times = [
        (seconds(pageable, i % PARTS), seconds(pinned, i % PARTS)) for i in range(count)
    ]
    return list(zip(*times))


warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    pairs(PARTS)

# %%
# On a quiet host: how far apart are the slow copies and the fast ones?


def spread(times):
    tenths = quantiles(times, n=10)
    return tenths[-1] / tenths[0]


quiet = pairs(ROUNDS)
print("slow over fast, quiet: {:.2f}, {:.2f}".format(*map(spread, quiet)))

# %%
# On a busy host: threads copy memory, all the time.

stop = threading.Event()
begun = threading.Barrier(THREADS + 1)


def keep_busy():
    torch.set_num_threads(1)
    source = torch.ones(2**25, dtype=torch.uint8)
    copy = source.clone()
    begun.wait()
    while not stop.is_set():
        copy.copy_(source)


threads = [threading.Thread(target=keep_busy) for _ in range(THREADS)]
for thread in threads:
    thread.start()
begun.wait()
busy = pairs(ROUNDS)
stop.set()
for thread in threads:
    thread.join()
slowdowns = [median(after) / median(before) for before, after in zip(quiet, busy)]
print("slower beside busy threads: {:.2f}, {:.2f} times".format(*slowdowns))

# %%
# Pinned copies from one core after another: how much slower is the slowest? And how many
# nodes of memory does the machine show?

allowed = sorted(os.sched_getaffinity(0))
by_core = []
for core in allowed[:: max(1, len(allowed) // CORES)]:
    os.sched_setaffinity(0, {core})
    by_core.append(median(seconds(pinned, part) for part in range(PARTS)))
os.sched_setaffinity(0, allowed)
core_ratio = max(by_core) / min(by_core)
nodes = len(list(Path("/sys/devices/system/node").glob("node[0-9]*")))
print(f"slowest core over fastest: {core_ratio:.2f}; nodes of memory: {nodes}")

# %%
# Spreads are the ninth tenth of the times over the first.

spreads = [spread(times) for times in quiet]
measured = {
    "size_bytes": SIZE,
    "threads": THREADS,
    "nodes": nodes,
    "pageable_spread": {"samples": spreads[:1]},
    "pinned_spread": {"samples": spreads[1:]},
    "pageable_busy_slowdown": {"samples": slowdowns[:1]},
    "pinned_busy_slowdown": {"samples": slowdowns[1:]},
    "pinned_core_ratio": {"samples": [core_ratio]},
}
