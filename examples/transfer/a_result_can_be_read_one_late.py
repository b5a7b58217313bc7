"""
A result can be read one late
=============================

How can the host work on one result while the GPU computes the next? Copy each result to
a pinned slot, record an event after the copy, and read it once the next one is queued.
Two slots are enough, and the loop gains the time that blocking copies lose.
"""

# sphinx_gallery_quiet = "host"
import torch


def on_host(results):  # each stays until you ask for the next
    slots, arrived = [], [torch.cuda.Event(), torch.cuda.Event()]
    for step, result in enumerate(results):
        if step < 2:
            slots.append(torch.empty_like(result, device="cpu", pin_memory=True))
        slots[step % 2].copy_(result.detach(), non_blocking=True)
        arrived[step % 2].record()
        if step:
            arrived[step % 2 - 1].synchronize()
            yield slots[step % 2 - 1]
    if slots:
        arrived[step % 2].synchronize()
        yield slots[step % 2]


for product in on_host(x @ x for x in torch.randn(8, 1024, 1024, device="cuda")):
    print(f"the largest number of this product is {product.max():.0f}")

# %%
# The same with blocking copies into a single pinned slot.

import time
from statistics import median


def blocking(results):
    slot = torch.empty_like(one_result, device="cpu", pin_memory=True)
    for result in results:
        yield slot.copy_(result)


# %%
# The results: each is filled with its number, after a few matmuls. An argument holds
# the GPU for a while, as more work would.

STEPS, COUNT = 8, 8 * 2**20  # floats: 32 MiB, whose copy takes longer than any launch
one_result = torch.empty(COUNT, device="cuda")
factor = torch.ones(2048, 2048, device="cuda")
product = torch.empty_like(factor)


def make(products, cycles=0):
    for step in range(STEPS):
        torch.cuda._sleep(cycles)
        for _ in range(products):
            torch.mm(factor, factor, out=product)
        yield one_result.fill_(step + 1)


# %%
# The host works on each result for a given time: here it only watches the clock.


def seconds(way, products, host_s):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in way(make(products)):
        until = time.perf_counter() + host_s
        while time.perf_counter() < until:
            pass
    torch.cuda.synchronize()
    return time.perf_counter() - begin


WAYS = (blocking, on_host)
warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    for way in WAYS:
        seconds(way, 8, 0)

# %%
# Matmuls that take as long as the copy, and a host that takes a quarter of the time of
# both together, half of it, as long, and four times as long. The loops take turns.

copying = median(seconds(blocking, 0, 0) for _ in range(5))
computing = median(seconds(blocking, 16, 0) for _ in range(5)) - copying
products = max(1, round(16 * copying / computing))
gpu_s = median(seconds(blocking, products, 0) for _ in range(5)) / STEPS
table = []
for work, share in {"quarter": 1 / 4, "half": 1 / 2, "equal": 1, "long": 4}.items():
    rounds = [[seconds(way, products, share * gpu_s) for way in WAYS] for _ in range(4)]
    late = [taken[1] / taken[0] for taken in rounds]
    table.append({"work": work, "share": {"samples": late}})
    print(f"host work {work:>7}: {median(late):.0%} of the time of blocking copies")

# %%
# With the GPU held for a few milliseconds per result, is it at work while the host has
# the first one? And are all of them right?

by_way, main = [], torch.cuda.current_stream()
for way in WAYS:
    seen = [
        (not main.query(), bool((host == step + 1).all()))
        for step, host in enumerate(way(make(products, 10_000_000)))
    ]
    busy, right = zip(*seen)
    by_way.append({"way": way.__name__, "right": sum(right), "busy": busy[0]})
    print(f"{way.__name__:>8}: {sum(right)} right, GPU at work: {busy[0]}")
measured = {"steps": STEPS, "by_work": {"table": table}, "by_way": {"table": by_way}}
