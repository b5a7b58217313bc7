"""
The link carries both ways
==========================

What can run alongside a copy to the GPU? A copy from it, in another stream: the link
has lanes for each direction, and the GPU has several copy engines. A second copy to the
GPU gains nothing. Even a memory-bound kernel hardly slows down.
"""

# sphinx_gallery_quiet = "host"
import ctypes
import time
from statistics import median

import torch

# %%
# How many copy engines does the GPU have? The driver tells, given the number of the
# attribute.

ASYNC_ENGINE_COUNT = 40  # CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT in cuda.h
torch.cuda.init()
count, device = ctypes.c_int(), torch.cuda.current_device()
driver = ctypes.CDLL("libcuda.so.1")
status = driver.cuDeviceGetAttribute(ctypes.byref(count), ASYNC_ENGINE_COUNT, device)
copy_engines = count.value if status == 0 else 0
print(f"copy engines: {copy_engines}")

# %%
# Use two pinned buffers on the host, two of the same size on the GPU, and two more
# streams.

COUNT = 32 * 2**20  # floats: 128 MiB, more than the GPU's cache holds
ROUNDS = 5
host = [torch.ones(COUNT, pin_memory=True) for _ in range(2)]
gpu = [torch.ones(COUNT, device="cuda") for _ in range(2)]
first, second = (torch.cuda.Stream() for _ in range(2))
up = (first, gpu[0], host[0])
down = (second, host[1], gpu[1])

# %%
# Queue each copy in its stream, and time them until the GPU is idle.


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
# Time a memory-bound addition with events, with or without a copy that begins before it
# and lasts longer. A short delay allows everything to be queued before the addition
# starts; the function that causes it is private to PyTorch and may change.

ADDITIONS = 15  # on an H200, they take less than half as long as the copy
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
# Try three pairs of copies.

PAIRS = {
    "both_ways": (up, down),
    "both_ways_in_one_stream": (up, (first, *down[1:])),
    "same_way": (up, (second, gpu[1], host[1])),
}
warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    for pair in PAIRS.values():
        copy_seconds(*pair)
    add_seconds(up)

# %%
# Compare each pair with its two copies run one after the other, and the addition
# alongside a copy with the addition alone.

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
# At best, two equal copies take half of the time.

measured = {"copy_engines": copy_engines}
measured |= {f"{name}_share": {"samples": results[name]} for name in PAIRS}
measured["beside_up_slowdown"] = {"samples": results["up"]}
measured["beside_down_slowdown"] = {"samples": results["down"]}
