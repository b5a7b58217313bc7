"""
A direct copy beats the host
============================

How fast is a copy from one GPU to another? With peer access, a large one is many times as
fast as through the host, even through pinned memory. A small one gains little.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import time
from statistics import median

import torch

# %%
# The source is on the first GPU. Its copies go to either GPU, and to memory on the host.

SIZES = [2**12, 2**16, 2**20, 2**24, 2**28]  # bytes
ROUNDS = 5
source = torch.randint(0, 255, (SIZES[-1],), dtype=torch.uint8, device="cuda:0")
near, far = (torch.empty_like(source, device=f"cuda:{i}") for i in range(2))
pinned = torch.empty_like(source, device="cpu", pin_memory=True)
pageable = torch.zeros_like(source, device="cpu")
peer_access = torch.cuda.can_device_access_peer(0, 1)
print(f"peer access: {peer_access}")

# %%
# There are three ways to the second GPU, and a copy within the first. The host has to
# receive the bytes before it sends them on.


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
# The host's clock runs until both GPUs are idle, because the host is part of two of the ways.


def seconds(way, size):
    begin = time.perf_counter()
    way(size)
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)
    return time.perf_counter() - begin


WAYS = direct, through_pinned, through_pageable, within
warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    for way in WAYS:
        seconds(way, SIZES[-1])

by_size = []
for size in SIZES:
    samples = {way.__name__: [] for way in WAYS}
    for _ in range(ROUNDS):
        for way in WAYS:  # in turns, so that any drift affects all of them equally
            samples[way.__name__].append(seconds(way, size))
    row = {f"{name}_s": {"samples": taken} for name, taken in samples.items()}
    over = [p / d for p, d in zip(samples["through_pinned"], samples["direct"])]
    row["speedup"] = {"samples": over}
    by_size.append({"size_bytes": size} | row)
    print(
        f"{size:>10} bytes: {median(over):.1f} times as fast as through pinned memory"
    )

# %%
# The rates are those of the largest copies.

rates = {
    f"{name}_bytes_per_s": {"samples": [SIZES[-1] / s for s in taken]}
    for name, taken in samples.items()
}
measured = {"peer_access": peer_access, "by_size": {"table": by_size}} | rates
