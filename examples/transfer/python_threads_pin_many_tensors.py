"""
Python threads pin many tensors
===============================

Does it pay to pin many tensors in several Python threads before copying them? If
PyTorch itself has one thread, yes. If it has as many as the pool, it already splits
each copy into pinned memory among them, and Python threads add nothing.
"""

# sphinx_gallery_quiet = "host"
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

import torch

# %%
# Use tensors of a million floats each, as in PyTorch's tutorial on pinned memory.

COUNT, FLOATS, POOL = 25, 1_000_000, 4
ROUNDS = 5
tensors = [torch.ones(FLOATS) for _ in range(COUNT)]
default_threads = torch.get_num_threads()
pool = ThreadPoolExecutor(POOL, initializer=partial(torch.set_num_threads, 1))


def plain():
    return [tensor.to("cuda", non_blocking=True) for tensor in tensors]


def pin_then_copy():
    return [tensor.pin_memory().to("cuda", non_blocking=True) for tensor in tensors]


def pin_in_threads():
    pinned = pool.map(torch.Tensor.pin_memory, tensors)
    return [tensor.to("cuda", non_blocking=True) for tensor in pinned]


# %%
# Time each variant until all tensors are on the GPU.


def seconds(way):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    arrived = way()
    torch.cuda.synchronize()
    taken = time.perf_counter() - begin
    del arrived
    return taken


# %%
# The three variants take turns, with one thread for PyTorch's own copies, with as many
# as the pool has, and with the default, which is one per core: then the slowest core
# decides. After each change of that number, one variant runs once untimed.


def one_round(threads):
    torch.set_num_threads(threads)
    ways = (plain, pin_then_copy, pin_in_threads)
    seconds(pin_then_copy)
    return [seconds(way) for way in ways]


THREADS = {"one": 1, "pool": POOL, "default": default_threads}
warm_until = time.perf_counter() + 0.1  # by time; also starts the threads
while time.perf_counter() < warm_until:
    one_round(1)
rounds = {name: [] for name in THREADS}
for _ in range(ROUNDS):
    for name, threads in THREADS.items():
        rounds[name].append(one_round(threads))

# %%
# Ratios are computed within each round.

table = []
for name, times in rounds.items():
    row = {
        "pinned_slowdown": [pinned / plain for plain, pinned, _ in times],
        "pool_slowdown": [pooled / plain for plain, _, pooled in times],
        "pool_gain_ratio": [pinned / pooled for _, pinned, pooled in times],
    }
    print(f"{name:>7}:", {key: f"{median(row[key]):.2f}" for key in row})
    row = {key: {"samples": samples} for key, samples in row.items()}
    table.append({"threads": name} | row)

# %%
# Slowdowns are relative to the plain copies; the gain compares the pool with pinning in
# the main thread.

measured = {
    "by_threads": {"table": table},
    "tensors": COUNT,
    "floats": FLOATS,
    "pool_threads": POOL,
    "default_threads": default_threads,
}
