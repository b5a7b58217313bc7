"""
A pinned copy is faster
=======================

How much faster does a tensor reach the GPU when its host memory is pinned, and does the call wait?
A pinned copy runs near the speed of the PCIe link and can return before it is done;
a pageable copy passes through a staging buffer, slowly, and its call waits for that.
"""

import statistics
import subprocess
import time

import matplotlib.pyplot as plt
import torch

# %%
# Two host buffers hold the same bytes: one in ordinary, pageable memory, one pinned.
# Both are written before anything is timed, so that no copy pays for the first touch of a page.

LARGEST = (
    256 * 2**20
)  # several times the GPU's cache, and large enough for the link's full speed
SIZES = [4**k * 2**10 for k in range(1, 10)]  # 4 KiB to 256 MiB

pageable = torch.ones(LARGEST, dtype=torch.uint8)
pinned = pageable.pin_memory()
target = torch.empty(LARGEST, dtype=torch.uint8, device="cuda")
print(f"pinned: {pageable.is_pinned()} and {pinned.is_pinned()}")

# %%
# A copy is timed from the call to its last byte.
# The GPU is idle at the start, and the clock is read only after it is idle again.


def copy_seconds(source, destination):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    destination.copy_(source)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.5  # by time, not by count: clocks need it to rise
while time.perf_counter() < warm_until:
    copy_seconds(pageable, target)
    copy_seconds(pinned, target)

# %%
# The two kinds take turns at every size, so that a drift of the machine hits both alike.

ROUNDS = 10
by_size = []
for size in SIZES:
    row = {"pageable_bytes_per_s": [], "pinned_bytes_per_s": [], "speedup": []}
    for _ in range(ROUNDS):
        slow = copy_seconds(pageable[:size], target[:size])
        fast = copy_seconds(pinned[:size], target[:size])
        row["pageable_bytes_per_s"].append(size / slow)
        row["pinned_bytes_per_s"].append(size / fast)
        row["speedup"].append(slow / fast)
    by_size.append({"size_bytes": size, **row})
    rates = [statistics.median(row[kind]) / 1e9 for kind in list(row)[:2]]
    print(
        f"{size:>11,} bytes: pageable {rates[0]:5.2f} GB/s, pinned {rates[1]:5.2f} GB/s"
    )

# %%
# What could the link do? The driver knows its generation and width.
# From the third generation on, a lane carries 128 bits of data in 130.

query = ["nvidia-smi", "--query-gpu=pcie.link.gen.current,pcie.link.width.current"]
query += ["--format=csv,noheader", f"--id={torch.cuda.current_device()}"]
generation, width = subprocess.check_output(query, text=True).strip().split(", ")
transfers_per_s = {"3": 8e9, "4": 16e9, "5": 32e9, "6": 64e9}[generation]
link_bytes_per_s = transfers_per_s / 8 * int(width) * 128 / 130
print(f"PCIe {generation} x{width}: {link_bytes_per_s / 1e9:.1f} GB/s")

# %%
# Does the call wait? It returned early when it took less than half of the time until the copy
# was done. A pinned copy does with ``non_blocking=True``; a pageable one does not, even so.

PART = 64 * 2**20
CALLS = 20


def returned_early(source, non_blocking):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target[:PART].copy_(source[:PART], non_blocking=non_blocking)
    returned = time.perf_counter()
    torch.cuda.synchronize()
    return returned - begin < 0.5 * (time.perf_counter() - begin)


early = {"pinned": 0, "pinned, blocking": 0, "pageable": 0}
for _ in range(CALLS):
    early["pinned"] += returned_early(pinned, non_blocking=True)
    early["pinned, blocking"] += returned_early(pinned, non_blocking=False)
    early["pageable"] += returned_early(pageable, non_blocking=True)
print(f"returned early, of {CALLS} calls: {early}")

# %%
# The bandwidth by size, with the limit of the link.

figure, axes = plt.subplots()
for kind in ("pinned", "pageable"):
    medians = [statistics.median(row[f"{kind}_bytes_per_s"]) / 1e9 for row in by_size]
    axes.semilogx(SIZES, medians, "o-", label=kind)
axes.axhline(link_bytes_per_s / 1e9, linestyle="--", color="gray", label="link")
axes.set(xlabel="bytes", ylabel="GB/s")
axes.legend()
plt.show()

# %%
# ``speedup`` and the shares of the link are those of the largest size.

largest = by_size[-1]
measured = {
    "by_size": {
        "table": [
            {
                name: {"samples": v} if isinstance(v, list) else v
                for name, v in row.items()
            }
            for row in by_size
        ]
    },
    "speedup": {"samples": largest["speedup"]},
    "link_bytes_per_s": link_bytes_per_s,
    "pinned_link_share": {
        "samples": [rate / link_bytes_per_s for rate in largest["pinned_bytes_per_s"]]
    },
    "pageable_link_share": {
        "samples": [rate / link_bytes_per_s for rate in largest["pageable_bytes_per_s"]]
    },
    "calls": CALLS,
    "pinned_early": early["pinned"],
    "pinned_blocking_early": early["pinned, blocking"],
    "pageable_early": early["pageable"],
}
