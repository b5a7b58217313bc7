"""
Dropped results are used again
==============================

Is ``x.cpu()`` slow in every loop? Up to a certain size, the C library keeps the memory
of a dropped result and reuses it for the next one. Only results that the program keeps,
and larger ones, are written to memory that is new to the process.
"""

# sphinx_gallery_quiet = "host"
import ctypes
import time
from statistics import median

import torch

# %%
# Two sizes below glibc's limit and two above it.

SIZES = [mebibytes * 2**20 for mebibytes in (16, 31, 33, 64)]
ROUNDS, GB = 5, 1e9
on_gpu = torch.ones(max(SIZES), dtype=torch.uint8, device="cuda")


def seconds(source):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    result = source.cpu()
    return time.perf_counter() - begin, result


# %%
# A loop that drops each result immediately, and one that keeps them all. They cannot
# take turns, because a result to keep would get the memory of a dropped one.


def dropping(source):
    return [seconds(source)[0] for _ in range(ROUNDS)]


def keeping(source):
    return [taken for taken, _ in [seconds(source) for _ in range(ROUNDS)]]


warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    dropping(on_gpu[: 2**20])

# %%
# The first two results of each loop do not count: they may get memory left over from
# before, and the C library keeps memory of a size only after it has seen it freed.

table = []
for size in SIZES:
    dropped, kept = dropping(on_gpu[:size])[2:], keeping(on_gpu[:size])[2:]
    slowdown = [k / median(dropped) for k in kept]
    rates = [{"samples": [size / taken for taken in loop]} for loop in (dropped, kept)]
    row = dict(zip(("dropped_bytes_per_s", "kept_bytes_per_s"), rates))
    table.append({"size_bytes": size, **row, "slowdown": {"samples": slowdown}})
    shown = [size / median(loop) / GB for loop in (dropped, kept)]
    print(f"{size:>10,} bytes: dropped {shown[0]:.1f} GB/s, kept {shown[1]:.1f} GB/s")

# %%
# Is it the C library? If told not to map memory directly and not to give any back, it
# should also reuse the memory of the largest results. (The numbers are glibc's.)

M_MMAP_MAX, M_TRIM_THRESHOLD = -4, -1
libc = ctypes.CDLL(None)
told = libc.mallopt(M_MMAP_MAX, 0) and libc.mallopt(M_TRIM_THRESHOLD, -1)
again = dropping(on_gpu)[2:]
speedups = [median(dropped) / taken for taken in again]
print(f"told to keep it: {SIZES[-1] / median(again) / GB:.1f} GB/s")

# %%
# Slowdowns are of the loop that keeps its results; the speedup is of the loop that
# drops the largest ones.

measured = {
    "by_size": {"table": table},
    "told": bool(told),
    "told_speedup": {"samples": speedups},
}
