"""
The first pinning costs more than it saves
==========================================

Does it pay off to pin a tensor just to copy it to the GPU? Not the first time: pinned
memory has to be allocated, and that takes longer than the plain copy. It does when
PyTorch still holds a pinned block of that size: copying into the block is quick.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# The same bytes in both kinds of memory, already written: no copy pays for first
# touches.

LARGEST = 64 * 2**20  # bytes
SIZES = [4**k * 2**10 for k in range(1, 9)]  # 4 KiB to 64 MiB
ROUNDS, GB = 3, 1e9

pageable = torch.ones(LARGEST, dtype=torch.uint8)
pinned = pageable.pin_memory()
threads = torch.get_num_threads()
print(f"{threads} host threads copy into pinned memory")

# %%
# Three ways to the GPU. The second pins a copy that is dropped immediately: its block
# goes back to PyTorch's allocator, which keeps it for the next request of that size.


def plain(size):
    return pageable[:size].to("cuda")


def pin_then_copy(size):
    return pageable[:size].pin_memory().to("cuda", non_blocking=True)


def already_pinned(size):
    return pinned[:size].to("cuda", non_blocking=True)


# %%
# A copy is timed from the call until its last byte has arrived.


def seconds(way, size):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    way(size)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# In each round, the four cases take turns. With the allocator emptied, the next tensor
# is pinned for the first time, and leaves a block for the one after it.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def one_round(size):
    times = [seconds(plain, size), seconds(already_pinned, size)]
    empty_host_cache()
    return [*times, seconds(pin_then_copy, size), seconds(pin_then_copy, size)]


warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    one_round(LARGEST // 4)
_ = seconds(already_pinned, LARGEST)  # from here on the GPU's memory is reserved

# %%
# All sizes, from the smallest to the largest.

KINDS = ("pageable", "pinned", "first_use", "cached")
sweep = []
print("            size: pageable, pinned; pinned for this copy: first time, again")
for size in SIZES:
    rounds = [one_round(size) for _ in range(ROUNDS)]
    rates = [[size / time for time in kind] for kind in zip(*rounds)]
    sweep.append((size, rounds, rates))
    shown = ", ".join(f"{median(rate) / GB:5.2f}" for rate in rates)
    print(f"{size:>11,} bytes: {shown} GB/s")

# %%
# Memory that is already pinned is fastest. Pinning for a single copy pays off when its
# block is cached, and not otherwise.

_, axes = plt.subplots()
for number, kind in enumerate(KINDS):
    shown = [median(rates[number]) / GB for _, _, rates in sweep]
    axes.semilogx(SIZES, shown, "o-", base=2, label=kind.replace("_", " "))
axes.set(xlabel="size", ylabel="GB/s")
axes.set_xticks(SIZES[::3], ["4 KiB", "256 KiB", "16 MiB"])
axes.legend()
plt.show()

# %%
# Rates are in bytes per second. A slowdown is the time to pin and copy over the time of
# the plain copy in that round: below one, pinning pays off. At two sizes: after how
# many copies of one buffer, or batches that are each pinned, has it paid for itself?

table, to_pay = [], []
for size, rounds, rates in sweep:
    row = {f"{k}_bytes_per_s": {"samples": r} for k, r in zip(KINDS, rates)}
    row["first_use_slowdown"] = {"samples": [r[2] / r[0] for r in rounds]}
    row["cached_slowdown"] = {"samples": [r[3] / r[0] for r in rounds]}
    table.append({"size_bytes": size} | row)
    if size in (2**20, LARGEST):
        slow, fast, first, again = (median(times) for times in zip(*rounds))
        ratios = (first - fast) / (slow - fast), (first - again) / (slow - again)
        copies, batches = ({"samples": [ratio]} for ratio in ratios)
        to_pay.append({"size_bytes": size, "copies": copies, "batches": batches})
tables = {"by_size": {"table": table}, "to_pay": {"table": to_pay}}
measured = {**tables, "threads": threads}
