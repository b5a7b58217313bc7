"""
First pinning holds up launches
===============================

Does pinning in another thread leave the main thread free? It can run Python, but
while CUDA allocates the pinned memory, no other thread can launch a kernel. A PyTorch
option shortens that time, and makes pinning faster.
"""

# sphinx_gallery_quiet = "host"
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import torch

# %%
# One thread pins, as a ``DataLoader``'s does. In the meantime, the main thread takes as
# many steps as it can.

SIZE = 64 * 2**20  # bytes
ROUNDS = 3
tensor = torch.ones(SIZE, dtype=torch.uint8)
number = torch.zeros(1, device="cuda")
thread = ThreadPoolExecutor(1)


def launch():
    number.add_(1)


def python():
    pass


# %%
# Measured here: how long the thread is busy, the steps per second of the main thread,
# and its longest step as a share of that time.


def steps(step, work, *arguments):
    torch.cuda.synchronize()
    count = longest = 0
    begin = last = time.perf_counter()
    working = thread.submit(work, *arguments)
    while not working.done():
        step()
        now = time.perf_counter()
        count, longest, last = count + 1, max(longest, now - last), now
    seconds = last - begin
    return {"s": seconds, "rate": count / seconds, "longest": longest / seconds}


# %%
# After the allocator's cache is emptied, the next tensor is pinned for the first time.
# By default, PyTorch then asks CUDA for pinned memory. With the option, PyTorch takes
# ordinary memory and touches its pages itself, with one thread or several, before CUDA
# pins them. ``PYTORCH_ALLOC_CONF`` sets the option for a whole program.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12
KEYS = "pinned_use_cuda_host_register:{},pinned_num_register_threads:{}"
WAYS = (("False", 1), ("True", 1), ("True", 8))
DEFAULT, ONE, EIGHT = (KEYS.format(*way) for way in WAYS)


def first_pinning(step, options):
    torch._C._accelerator_setAllocatorSettings(options)
    empty_host_cache()
    return steps(step, tensor.pin_memory)


def cached_pinnings():
    for _ in range(4):
        tensor.pin_memory()


# %%
# In each round, all cases take turns. The first round starts threads and loads the
# kernel, and does not count.


def one_round():
    return {
        "python alone": steps(python, time.sleep, 0.02),
        "launching alone": steps(launch, time.sleep, 0.02),
        "one": first_pinning(launch, ONE),
        "eight": first_pinning(launch, EIGHT),
        "python": first_pinning(python, DEFAULT),
        "first": first_pinning(launch, DEFAULT),
        "cached": steps(launch, cached_pinnings),
    }


one_round()
rounds = [one_round() for _ in range(ROUNDS)]
for case in rounds[0]:
    s, rate, longest = (median(r[case][k] for r in rounds) for k in rounds[0][case])
    print(f"{case:>15}: {s:.4f} s, {rate:9,.0f} steps/s, the longest {longest:.0%}")

# %%
# Rates are relative to the rate alongside a thread that only sleeps.


def ratio(case, over, key):
    return {"samples": [r[case][key] / r[over][key] for r in rounds]}


measured = {
    "size_bytes": SIZE,
    "python_share": ratio("python", "python alone", "rate"),
    "first_launches_share": ratio("first", "launching alone", "rate"),
    "longest_share": {"samples": [r["first"]["longest"] for r in rounds]},
    "registered_launches_share": ratio("eight", "launching alone", "rate"),
    "cached_launches_share": ratio("cached", "launching alone", "rate"),
    "one_thread_speedup": ratio("first", "one", "s"),
    "eight_threads_speedup": ratio("first", "eight", "s"),
}
