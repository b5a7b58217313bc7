"""
Pinning hides behind queued work
================================

Can the first pinning of a size be hidden behind work on the GPU? Yes, if enough work
has been queued beforehand; no thread is needed. And a thread does not help a loop that
keeps launching.
"""

# sphinx_gallery_quiet = "host"
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import torch

# %%
# A loop of many small matmuls launches all the time. A few large ones are launched in
# one go, and keep the GPU busy for as long.

SIZE = 32 * 2**20  # bytes
ROUNDS = 4
tensor = torch.ones(SIZE, dtype=torch.uint8)
thread = ThreadPoolExecutor(1)
small = torch.ones(512, 512, device="cuda", dtype=torch.bfloat16)
large = torch.ones(4096, 4096, device="cuda", dtype=torch.bfloat16)
products = {factor: torch.empty_like(factor) for factor in (small, large)}


def multiply(factor, times):
    for _ in range(times):
        torch.mm(factor, factor, out=products[factor])


# %%
# Pin in a thread while the main thread launches, or in the main thread once it has
# launched everything.


def in_a_thread(factor, times):
    pinning = thread.submit(tensor.pin_memory)
    multiply(factor, times)
    pinning.result()


def after_launching(factor, times):
    multiply(factor, times)
    tensor.pin_memory()


# %%
# Emptying the allocator makes the next call pin for the first time again.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def seconds(work, *arguments):
    empty_host_cache()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.1  # by time: the clocks must ramp up
while time.perf_counter() < warm_until:
    seconds(in_a_thread, small, 100)
    seconds(after_launching, large, 10)

# %%
# How many matmuls take as long as pinning? The most is to be gained when both take
# equally long.

CASES = {"thread": (in_a_thread, small), "queued": (after_launching, large)}
pinning = median(seconds(tensor.pin_memory) for _ in range(3))
counts = {}
for name, (_, factor) in CASES.items():
    hundred = median(seconds(multiply, factor, 100) for _ in range(3))
    counts[name] = round(100 * pinning / hundred)
print("products that take as long as pinning:", counts)

# %%
# Compare each case with its two parts run one after the other. The cases take turns.

shares = {name: [] for name in CASES}
for _ in range(ROUNDS):
    for name, (together, factor) in CASES.items():
        times = counts[name]
        apart = seconds(tensor.pin_memory) + seconds(multiply, factor, times)
        shares[name].append(seconds(together, factor, times) / apart)
for name, samples in shares.items():
    print(f"{name}: {median(samples):.0%} of the time of the parts")

# %%
# At best, two equal parts take half of the time.

measured = {
    "size_bytes": SIZE,
    "thread_share": {"samples": shares["thread"]},
    "queued_share": {"samples": shares["queued"]},
}
