"""
Packing pays while tensors are small
====================================

Up to what size is it worth packing tensors before sending them to the GPU? For pinned
tensors, only while they are small, because packing adds a copy on the host. For pageable
tensors, at every size tried here, but for large ones only if the buffer is kept.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# The number of tensors is fixed, and their size varies. Only a few threads copy on the host:
# with all of them, processes on a busy host differed widely.

COUNT = 200
SIZES = [4**k * 16 for k in range(1, 8)]
ROUNDS = 3
torch.set_num_threads(4)
source = torch.ones(COUNT * SIZES[-1], dtype=torch.uint8)
packed = source.pin_memory()
pageable = {size: source[: COUNT * size].split(size) for size in SIZES}
pinned = {size: packed[: COUNT * size].split(size) for size in SIZES}

# %%
# Compare three loops. The last one is for data that is already pinned.


def blocking(size):
    return [t.to("cuda") for t in pageable[size]]


def non_blocking(size):
    return [t.to("cuda", non_blocking=True) for t in pageable[size]]


def from_pinned(size):
    return [t.to("cuda", non_blocking=True) for t in pinned[size]]


# %%
# There are two ways to pack: into the pinned buffer, and into a new pageable tensor.


def packing(size):
    part = packed[: COUNT * size]
    torch.cat(pageable[size], out=part)
    return part.to("cuda", non_blocking=True).split(size)


def new_buffer(size):
    return torch.cat(pageable[size]).to("cuda").split(size)


# %%
# Time each variant until the GPU is idle, and divide by the number of tensors.


def seconds(way, size):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    kept = way(size)  # frees nothing before the clock is read
    torch.cuda.synchronize()
    elapsed = time.perf_counter() - begin
    del kept
    return elapsed / COUNT


WAYS = {way.__name__: way for way in (blocking, non_blocking, from_pinned, packing)}
WAYS["new_buffer"] = new_buffer
warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    for way in WAYS.values():
        seconds(way, SIZES[4])

# %%
# The variants take turns at every size, so that drift affects them all alike. The first round
# of a size allocates its GPU memory and does not count.

sweep = {size: [] for size in SIZES}
print(f"    bytes: µs for each tensor, {', '.join(WAYS)}")
for size, rounds in sweep.items():
    for _ in range(ROUNDS + 1):
        rounds.append({name: seconds(way, size) for name, way in WAYS.items()})
    del rounds[0]
    medians = (median(times[name] for times in rounds) * 1e6 for name in WAYS)
    print(f"{size:>9,}: {', '.join(f'{value:.2f}' for value in medians)}")

# %%
# Packing no longer pays where another line falls below it.

_, axes = plt.subplots()
for name in WAYS:
    shown = [median(t[name] for t in rounds) * 1e6 for rounds in sweep.values()]
    axes.loglog(SIZES, shown, "o-", base=2, label=name.replace("_", " "))
axes.set(xlabel="size of each tensor", ylabel="µs for each tensor")
axes.set_xticks(SIZES[::2], ["64 B", "1 KiB", "16 KiB", "256 KiB"])
axes.set_yticks((1, 10, 100), (1, 10, 100))
axes.legend()
plt.show()

# %%
# Speedups compare packing into the kept buffer with another variant in the same round: below
# one, packing is slower.

table = []
for size, rounds in sweep.items():
    row = {f"{name}_s": {"samples": [t[name] for t in rounds]} for name in WAYS}
    ratios = [times["non_blocking"] / times["packing"] for times in rounds]
    row["speedup"] = {"samples": ratios}
    ratios = [times["from_pinned"] / times["packing"] for times in rounds]
    row["pinned_speedup"] = {"samples": ratios}
    ratios = [times["new_buffer"] / times["non_blocking"] for times in rounds]
    row["new_buffer_slowdown"] = {"samples": ratios}
    table.append({"size_bytes": size} | row)
measured = {"by_size": {"table": table}, "tensors": COUNT}
