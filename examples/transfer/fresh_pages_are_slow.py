"""
Fresh pages are slow
====================

Why is ``x.cpu()`` so slow? It returns new memory, whose pages the operating system
supplies one by one as they are first touched. The host pays for that even without a
copy, which explains about half of the cost; memory that has been used before, or is
pinned, is filled far faster.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# One host thread, so that the host's own writes are comparable with the driver's. For
# this size, the C library always takes new pages from the system and gives them back.

SIZE = 64 * 2**20  # bytes
ROUNDS, GB = 4, 1e9
torch.set_num_threads(1)
on_gpu = torch.ones(SIZE, dtype=torch.uint8, device="cuda")
touched = torch.zeros(SIZE, dtype=torch.uint8)
pinned = torch.zeros(SIZE, dtype=torch.uint8, pin_memory=True)

# %%
# From the GPU into three kinds of memory. The result lives until the clock is read, so
# giving pages back is not timed.


def into_fresh():
    return on_gpu.cpu()


def into_touched():
    return touched.copy_(on_gpu)


def into_pinned():
    return pinned.copy_(on_gpu)


# %%
# Each copy is timed from the call until the GPU is idle again.


def seconds(work, *arguments, **options):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    result = work(*arguments, **options)
    torch.cuda.synchronize()
    return time.perf_counter() - begin, result


warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    seconds(into_touched)
    seconds(into_pinned)

# %%
# The host alone: the first write to new memory, and the second. Also, CUDA allocating
# new pinned memory, to which nothing is written.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def one_round():
    copies = [seconds(copy)[0] for copy in (into_fresh, into_touched, into_pinned)]
    memory = torch.empty(SIZE, dtype=torch.uint8)
    writes = [seconds(memory.fill_, 1)[0] for _ in range(2)]
    empty_host_cache()
    return *copies, *writes, seconds(torch.empty, SIZE // 4, pin_memory=True)[0]


rounds = [one_round() for _ in range(ROUNDS)]

# %%
# How much of the cost of a fresh target does the host's own first touch explain?

NAMES = ("fresh", "touched", "pinned", "first_touch", "second_touch", "pinning")
times = dict(zip(NAMES, zip(*rounds)))
explained = [(r[3] - r[4]) / (r[0] - r[1]) for r in rounds]
for name in NAMES:
    print(f"{name:>12}: {SIZE / median(times[name]) / GB:6.2f} GB/s")
print(f"explained by the host's first touch: {median(explained):.0%}")

# %%
# Ratios are computed within each round.


def ratio(slow, fast):
    return {"samples": [s / f for s, f in zip(times[slow], times[fast])]}


rates = {name: {"samples": [SIZE / t for t in times[name]]} for name in NAMES}
measured = {
    "by_target": {"table": [{"target": n, "bytes_per_s": rates[n]} for n in NAMES]},
    "size_bytes": SIZE,
    "fresh_slowdown": ratio("fresh", "touched"),
    "touched_slowdown": ratio("touched", "pinned"),
    "first_touch_slowdown": ratio("first_touch", "second_touch"),
    "explained_share": {"samples": explained},
    "pinning_over_touching_ratio": ratio("pinning", "first_touch"),
}
