"""
A direct copy beats the host
============================

How fast is a copy from one GPU to another? With peer access it takes the link between them,
and is many times as fast as through the host, even through pinned memory.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import time
from statistics import median

import torch

# %%
# The source and its copies on the first GPU and on the second, and memory on the host.

SIZES = [2**12, 2**16, 2**20, 2**24, 2**28]  # bytes
ROUNDS = 5
source = torch.randint(0, 255, (SIZES[-1],), dtype=torch.uint8, device="cuda:0")
near, far = (torch.empty_like(source, device=f"cuda:{i}") for i in range(2))
pinned = torch.empty_like(source, device="cpu", pin_memory=True)
pageable = torch.zeros_like(source, device="cpu")
peer_access = torch.cuda.can_device_access_peer(0, 1)
print(f"peer access: {peer_access}")

# %%
# Three ways to the second GPU, and a copy within the first. The host has to wait before it
# sends on what it received.


def direct(size):
    far[:size].copy_(source[:size])


def through_pinned(size):
    pinned[:size].copy_(source[:size])
    far[:size].copy_(pinned[:size], non_blocking=True)


def through_pageable(size):
    pageable[:size].copy_(source[:size])
    far[:size].copy_(pageable[:size])


def within(size):
    near[:size].copy_(source[:size])


# %%
# Timed on the host until both GPUs are idle, since a copy through the host needs it too.


def seconds(way, size):
    begin = time.perf_counter()
    way(size)
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)
    return time.perf_counter() - begin


WAYS = direct, through_pinned, through_pageable, within
warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    for way in WAYS:
        seconds(way, SIZES[-1])

by_size = []
for size in SIZES:
    samples = {way.__name__: [] for way in WAYS}
    for _ in range(ROUNDS):
        for way in WAYS:  # in turns, so that a drift of the machine hits all alike
            samples[way.__name__].append(seconds(way, size))
    row = {f"{name}_s": {"samples": taken} for name, taken in samples.items()}
    over = [p / d for p, d in zip(samples["through_pinned"], samples["direct"])]
    row["speedup"] = {"samples": over}
    by_size.append({"size_bytes": size} | row)
    print(
        f"{size:>10} bytes: {median(over):.1f} times as fast as through pinned memory"
    )

# %%
# Rates of the largest copies.

rates = {
    f"{name}_bytes_per_s": {"samples": [SIZES[-1] / s for s in taken]}
    for name, taken in samples.items()
}
measured = {"peer_access": peer_access, "by_size": {"table": by_size}} | rates
