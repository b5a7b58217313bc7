"""
Cached pinning pays with threads
================================

With a pinned block of the right size available, is ``x.pin_memory().to("cuda")``
faster or slower than ``x.to("cuda")``? Slower with one host thread, and faster with
several: PyTorch divides its copy into pinned memory among the threads, which do
nothing for the driver's own staging.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import matplotlib.pyplot as plt
import torch
from torch.utils.benchmark import Timer

# %%
# Two sizes: the million floats from which PyTorch's tutorial on pinned memory concludes
# that pinning first does not pay off, and a larger tensor. The tutorial uses
# ``torch.utils.benchmark.Timer``, which sets the number of threads.

SMALL, LARGE = torch.ones(1_000_000), torch.ones(16 * 2**20)
THREADS = (1, 2, 4, 8)
ROUNDS = 3
default_threads = torch.get_num_threads()
seen = []
Timer("seen.append(torch.get_num_threads())", globals=globals()).timeit(1)
timer_threads = seen[-1]
print(f"threads: PyTorch would use {default_threads}, its timer uses {timer_threads}")

# %%
# Both functions end with the tensor on the GPU and the GPU idle.


def plain(source):
    return source.to("cuda")


def pin_then_copy(source):
    return source.pin_memory().to("cuda", non_blocking=True)


def seconds(way, source):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    way(source)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# Each timed call is preceded by the same call, untimed: that starts the threads that a
# new setting requires, and leaves a pinned block in the allocator's cache.


def slowdown(source, threads):
    torch.set_num_threads(threads)
    pin_then_copy(source)
    pinning = seconds(pin_then_copy, source)
    plain(source)
    return pinning / seconds(plain, source)


warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    slowdown(LARGE, THREADS[-1])

# %%
# The thread counts take turns, so that any drift of the machine affects all of them
# equally.

small = {threads: [] for threads in THREADS}
large = {threads: [] for threads in THREADS}
for _ in range(ROUNDS):
    for threads in THREADS:
        small[threads].append(slowdown(SMALL, threads))
        large[threads].append(slowdown(LARGE, threads))
torch.set_num_threads(default_threads)
print("threads: time over that of the plain copy, for 1M floats and for 64 MiB")
for threads in THREADS:
    print(f"{threads:>7}: {median(small[threads]):.2f}, {median(large[threads]):.2f}")

# %%
# Below one, pinning pays off even for a single copy.

_, axes = plt.subplots()
for ratios, label in ((small, "1M floats"), (large, "64 MiB")):
    shown = [median(ratios[threads]) for threads in THREADS]
    axes.semilogx(THREADS, shown, "o-", base=2, label=label)
axes.axhline(1, linestyle="--", color="gray", label="plain copy")
axes.set_xticks(THREADS, THREADS)
axes.set(xlabel="host threads", ylabel="time (plain copy: 1)", ylim=(0, None))
axes.legend()
plt.show()

# %%
# A slowdown is the time to pin and copy, divided by the time of the plain copy measured
# right after it.

table = [
    {
        "threads": threads,
        "small_slowdown": {"samples": small[threads]},
        "large_slowdown": {"samples": large[threads]},
    }
    for threads in THREADS
]
measured = {
    "by_threads": {"table": table},
    "small_floats": SMALL.numel(),
    "large_bytes": LARGE.nbytes,
    "timer_threads": timer_threads,
}
