"""
The link carries both ways
==========================

What can run beside a copy to the GPU? A copy from it, in another stream: the link has
lanes for either direction, and the GPU several copy engines. Another copy to it gains
nothing. And even a kernel that only moves memory hardly slows down.
"""

import ctypes
import time
from statistics import median

import torch

# %%
# How many copy engines has the GPU? The driver tells, by the number of its attribute.

ASYNC_ENGINE_COUNT = 40  # CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT in cuda.h
torch.cuda.init()
count, device = ctypes.c_int(), torch.cuda.current_device()
driver = ctypes.CDLL("libcuda.so.1")
status = driver.cuDeviceGetAttribute(ctypes.byref(count), ASYNC_ENGINE_COUNT, device)
copy_engines = count.value if status == 0 else 0
print(f"copy engines: {copy_engines}")

# %%
# Pinned memory on the host, as much on the GPU, twice; and two more streams.

COUNT = 32 * 2**20  # floats: 128 MiB, more than the GPU's cache holds
ROUNDS = 5
host = [torch.ones(COUNT, pin_memory=True) for _ in range(2)]
gpu = [torch.ones(COUNT, device="cuda") for _ in range(2)]
first, second = (torch.cuda.Stream() for _ in range(2))
up = (first, gpu[0], host[0])
down = (second, host[1], gpu[1])

# %%
# Copies are queued, each in its stream, and timed until the GPU is idle.


def queue(stream, target, source):
    with torch.cuda.stream(stream):
        target.copy_(source, non_blocking=True)


def copy_seconds(*copies):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for copy in copies:
        queue(*copy)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# An addition that only moves memory is timed by events, with or without a copy that
# begins before it and lasts longer. A short delay lets all be queued before it starts; its
# function is private to PyTorch and may change.

ADDITIONS = 15  # on an H200, less than half as long as the copy
numbers, total = (torch.ones(COUNT, device="cuda") for _ in range(2))
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def add_seconds(*copies):
    torch.cuda.synchronize()
    for copy in copies:
        queue(*copy)
    torch.cuda._sleep(200_000)
    begin.record()
    for _ in range(ADDITIONS):
        torch.add(numbers, 1, out=total)
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / 1e3


# %%
# Three pairs of copies.

PAIRS = {
    "both_ways": (up, down),
    "both_ways_in_one_stream": (up, (first, *down[1:])),
    "same_way": (up, (second, gpu[1], host[1])),
}
warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    for pair in PAIRS.values():
        copy_seconds(*pair)
    add_seconds(up)

# %%
# Each pair is compared with the two one after the other, and the addition beside a copy
# with the addition alone.

results = {name: [] for name in (*PAIRS, "up", "down")}
for _ in range(ROUNDS):
    for name, pair in PAIRS.items():
        apart = sum(copy_seconds(copy) for copy in pair)
        results[name].append(copy_seconds(*pair) / apart)
    for name, copy in (("up", up), ("down", down)):
        results[name].append(add_seconds(copy) / add_seconds())
for name, samples in results.items():
    print(f"{name:>23}: {median(samples):.2f} of the time without overlap")

# %%
# Half of the time is the best that two equal copies can reach.

measured = {"copy_engines": copy_engines}
measured |= {f"{name}_share": {"samples": results[name]} for name in PAIRS}
measured["beside_up_slowdown"] = {"samples": results["up"]}
measured["beside_down_slowdown"] = {"samples": results["down"]}
