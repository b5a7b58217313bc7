"""
The next copy must precede item
===============================

If a loop reads its result in each iteration with ``item()``, does prefetching still
help? Yes, if the next copy is queued first. If it is queued afterwards, the copy waits
for the host, and the host for the computation.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# Use pinned batches, and two buffers for them on the GPU.

BATCHES, ROWS, COLUMNS = 10, 8192, 1024  # 16 MiB a batch
batch = torch.ones(ROWS, COLUMNS).bfloat16().pin_memory()
on_gpu = [torch.empty_like(batch, device="cuda") for _ in range(2)]
copied = [torch.cuda.Event() for _ in range(2)]
consumed = [torch.cuda.Event() for _ in range(2)]
main, side = torch.cuda.current_stream(), torch.cuda.Stream()
weight = torch.eye(COLUMNS, device="cuda").bfloat16()
product = torch.empty_like(on_gpu[0])


def send(index):
    if index < BATCHES:
        side.wait_event(consumed[index % 2])
        with torch.cuda.stream(side):
            on_gpu[index % 2].copy_(batch, non_blocking=True)
            copied[index % 2].record()


# %%
# Two prefetchers differ in what comes first: sending the next batch or handing out the
# current one.


def sending_first():
    send(0)
    for index in range(BATCHES):
        send(index + 1)
        main.wait_event(copied[index % 2])
        yield on_gpu[index % 2]
        consumed[index % 2].record()


# %%
# The other one hands out first, and sends when the caller asks for more.


def handing_out_first():
    send(0)
    for index in range(BATCHES):
        main.wait_event(copied[index % 2])
        yield on_gpu[index % 2]
        consumed[index % 2].record()
        send(index + 1)


def one_by_one():
    for _ in range(BATCHES):
        yield on_gpu[0].copy_(batch)


# %%
# Run the loop with and without reading its result.


def loop(batches, products, reads):
    for arrived in batches:
        for _ in range(products):
            torch.mm(arrived, weight, out=product)
        if reads:
            product[0, 0].item()


def seconds(*arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    loop(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# Use as many matmuls as take about as long as a copy: that leaves the most to gain.

warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    for way in (sending_first, handing_out_first, one_by_one):
        seconds(way(), 8, True)
copying = median(seconds(one_by_one(), 0, False) for _ in range(5))
eight = median(seconds(on_gpu[:1] * BATCHES, 8, False) for _ in range(5))
products = max(1, round(8 * copying / eight))

# %%
# Compare each with the loop that copies and computes one by one.

speedups = {}
for _ in range(5):
    for way in (sending_first, handing_out_first):
        for reads in (False, True):
            apart = seconds(one_by_one(), products, reads)
            key = f"{way.__name__}{'_item' * reads}"
            gain = apart / seconds(way(), products, reads)
            speedups.setdefault(key, []).append(gain)
for key, samples in speedups.items():
    print(f"{key:>22}: {median(samples):.2f} times as fast")

# %%
# Speedups are relative to the loop one by one, with the same reading of the result.

measured = {f"{key}_speedup": {"samples": speedups[key]} for key in speedups}
