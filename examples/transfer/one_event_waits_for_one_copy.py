"""
One event waits for one copy
============================

How can the host work on one result while the GPU computes the next? Queue everything,
with an event behind each copy, and have the host wait for one event at a time. Waiting
for the device means waiting for the last result, and a blocking copy leaves the GPU
idle.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# Every result has its own pinned slot, so that none is overwritten before it is read.

STEPS, ROUNDS = 8, 5
COUNT = 8 * 2**20  # floats: 32 MiB, whose copy takes longer than any launch
factor = torch.ones(2048, 2048, device="cuda")
product = torch.empty_like(factor)
results = [torch.empty(COUNT, device="cuda") for _ in range(STEPS)]
slots = [torch.zeros(COUNT, pin_memory=True) for _ in range(STEPS)]
arrived = [torch.cuda.Event() for _ in range(STEPS)]
products = sums = 10


def make(step):
    for _ in range(products):
        torch.mm(factor, factor, out=product)
    results[step].fill_(step + 1)


# %%
# With a blocking copy, the call waits, and nothing is queued behind it.


def blocking_copies(work):
    for step in range(STEPS):
        make(step)
        slots[step].copy_(results[step])
        work(step)


# %%
# Queue everything up front. The host then waits for the device, or only for the result
# that it needs next.

main, side = torch.cuda.current_stream(), torch.cuda.Stream()


def queue_all(stream):
    for step in range(STEPS):
        make(step)
        stream.wait_stream(main)
        with torch.cuda.stream(stream):
            slots[step].copy_(results[step], non_blocking=True)
            arrived[step].record()


def one_synchronize(work):
    queue_all(main)
    torch.cuda.synchronize()
    for step in range(STEPS):
        work(step)


def one_event_each(work, stream=main):
    queue_all(stream)
    for step in range(STEPS):
        arrived[step].synchronize()
        work(step)


def events_and_a_stream(work):
    one_event_each(work, side)


# %%
# The host sums each result. The most is to be gained when the matmuls, the copy and the
# sums take equally long, so use as many matmuls and sums as fill the time of one copy.


def seconds(way, argument):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    way(argument)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def add_up(step):
    for _ in range(sums):
        slots[step].sum()


WAYS = (blocking_copies, one_synchronize, one_event_each, events_and_a_stream)
warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    _ = [way(add_up) for way in WAYS]
parts = ((slots[0].copy_, results[0]), (make, 0), (add_up, 0))
copying, ten, ten_sums = (median(seconds(*part) for _ in range(5)) for part in parts)
products, sums = (max(1, round(10 * copying / t)) for t in (ten, ten_sums))

# %%
# The variants take turns. Shares are relative to the blocking copies in the same round.
# Each variant also runs once on cleared slots, to check its results.

rounds = [[seconds(way, add_up) for way in WAYS] for _ in range(ROUNDS)]
table = []
for way, taken in zip(WAYS, zip(*rounds)):
    right = []
    _ = [slot.zero_() for slot in slots]
    way(lambda step, right=right: right.append(bool(slots[step][-1] == step + 1)))
    share = [t / r[0] for t, r in zip(taken, rounds)]
    row = {"way": way.__name__, "right": sum(right), "share": {"samples": share}}
    table.append(row)
    print(f"{row['way']:>20}: {median(share):.0%} of the time, {row['right']} right")
measured = {"steps": STEPS, "by_way": {"table": table}}
