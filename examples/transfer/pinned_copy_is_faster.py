"""
A pinned copy is faster
=======================

How much faster does a tensor reach the GPU if its host memory is pinned, and does the call wait? A
pinned copy runs near the speed of the link and can return before it is done. A pageable copy
passes through a staging buffer, which is slow, and its call waits for the staging.
"""

# sphinx_gallery_quiet = "host"
import subprocess
import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Two host buffers hold the same bytes: one in ordinary, pageable memory, the other pinned. Both
# are written before timing, so that no copy pays for the first touch of a page.

LARGEST = 2**30  # bytes: many times the caches of the CPU and of the GPU
SIZES = [4**k * 2**10 for k in range(1, 11)]  # 4 KiB to 1 GiB
ROUNDS, GB = 5, 1e9

pageable = torch.ones(LARGEST, dtype=torch.uint8)
pinned = pageable.pin_memory()
target = torch.empty(LARGEST, dtype=torch.uint8, device="cuda")

# %%
# Time a copy from the call to its last byte. The GPU is idle at the start, and the clock is read
# again only when the GPU is idle once more.


def copy_seconds(source, destination):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    destination.copy_(source)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    copy_seconds(pageable[: LARGEST // 4], target[: LARGEST // 4])
    copy_seconds(pinned, target)

# %%
# The two kinds take turns at every size, so that drift affects both alike.

sweep = []
print("            size: pageable, pinned")
for size in SIZES:
    pairs = [
        [copy_seconds(source[:size], target[:size]) for source in (pageable, pinned)]
        for _ in range(2 if size > LARGEST // 16 else ROUNDS)
    ]
    slow, fast = ([size / seconds for seconds in kind] for kind in zip(*pairs))
    sweep.append((size, slow, fast, [s / f for s, f in pairs]))
    print(f"{size:>11,} bytes: {median(slow) / GB:5.2f}, {median(fast) / GB:5.2f} GB/s")

# %%
# How fast is the link? The driver reports its generation and width. Since the third generation, a
# lane encodes 128 bits of data in 130.

query = "--query-gpu=pcie.link.gen.current,pcie.link.width.current"
reply = subprocess.check_output(
    ["nvidia-smi", "--id=0", query, "--format=csv,noheader"]
)
generation, width = map(int, reply.split(b","))
link = {3: 8e9, 4: 16e9, 5: 32e9, 6: 64e9}[generation] * width / 8 * 128 / 130
print(f"PCIe {generation} x{width}: {link / GB:.1f} GB/s")

# %%
# Does the call wait? It returned early if it took less than half of the time until the copy was
# done.

CALLS = 20


def returned_early(source, non_blocking):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target[: len(source)].copy_(source, non_blocking=non_blocking)
    returned = time.perf_counter()
    torch.cuda.synchronize()
    return returned - begin < 0.5 * (time.perf_counter() - begin)


part = LARGEST // 64
arms = ((pinned[:part], True), (pinned[:part], False), (pageable[:part], True))
early = [sum(returned_early(*arm) for _ in range(CALLS)) for arm in arms]
print("returned early: pinned {}, pinned and blocking {}, pageable {}".format(*early))

# %%
# The pinned copy comes close to the limit of the link; the pageable one does not.

_, axes = plt.subplots()
for column, label in ((2, "pinned"), (1, "pageable")):
    shown = [median(row[column]) / GB for row in sweep]
    axes.semilogx(SIZES, shown, "o-", base=2, label=label)
axes.axhline(link / GB, linestyle="--", color="gray", label="link")
axes.set(xlabel="size", ylabel="GB/s")
axes.set_xticks(SIZES[::3], ["4 KiB", "256 KiB", "16 MiB", "1 GiB"])
axes.legend()
plt.show()

# %%
# Rates are in bytes per second; the shares of the link are for the largest size.
names = ("size_bytes", "pageable_bytes_per_s", "pinned_bytes_per_s", "speedup")
kept = [[size, *({"samples": x} for x in lists)] for size, *lists in sweep]
measured = {
    "by_size": {"table": [dict(zip(names, row)) for row in kept]},
    "link_generation": generation,
    "link_width": width,
    "link_bytes_per_s": link,
    "pageable_link_share": {"samples": [rate / link for rate in sweep[-1][1]]},
    "pinned_link_share": {"samples": [rate / link for rate in sweep[-1][2]]},
    "calls": CALLS,
    **dict(zip(("pinned_early", "pinned_blocking_early", "pageable_early"), early)),
}
