"""
A launch returns at once
========================

Why does a product that keeps the GPU busy for milliseconds seem to take microseconds? A
call on CUDA tensors only queues the work and returns. A clock that is read then has timed
the call; a clock that is read after ``torch.cuda.synchronize()`` has timed the work.
"""

import time
from statistics import median

import torch

# %%
# The product is so large that its duration cannot be mistaken for that of a call.

SIZE, ROUNDS = 7168, 20

a, b = torch.randn(2, SIZE, SIZE, device="cuda")
number = torch.zeros(1, device="cuda")
queue = torch.cuda.current_stream()

# %%
# Wrong: the GPU is idle at the start, but nobody waits for the product. When the clock is
# read, it has only been queued.


def naive_seconds():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ b
    return time.perf_counter() - begin


# %%
# Right: the host waits for the GPU before each reading of the clock.


def synchronised_seconds():
    torch.cuda.synchronize()  # idle
    begin = time.perf_counter()
    a @ b
    torch.cuda.synchronize()  # done
    return time.perf_counter() - begin


# %%
# Wrong in another way: only the end waits. What was queued before is timed as well.


def hasty_seconds():
    begin = time.perf_counter()  # the product before this one still runs
    a @ b
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# A program that reads a result need not wait by hand: ``item()`` waits for what is queued.
# Nothing tells the operations before it to wait for each other.


def reading_seconds(value):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ b
    read = number.fill_(value).add_(1).mul_(2).item()  # behind the product in the queue
    return time.perf_counter() - begin, read == 2 * (value + 1)


# %%
# Before anything is timed, every kernel is loaded and the clocks of the GPU are up.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    synchronised_seconds()
    reading_seconds(0)

# %%
# The ways take turns. The hasty one follows the naive one, which leaves a product in the
# queue. ``query()`` tells, without waiting, whether the queue is empty.

naive, hasty, synchronised, reading = [], [], [], []
after_call = after_synchronize = 0
for turn in range(ROUNDS):
    naive.append(naive_seconds())
    after_call += not queue.query()
    hasty.append(hasty_seconds())
    synchronised.append(synchronised_seconds())
    after_synchronize += not queue.query()
    reading.append(reading_seconds(turn))

read, rights = zip(*reading)
print(f"naive {median(naive) * 1e3:.3f} ms, right {median(synchronised) * 1e3:.3f} ms")
print(f"hasty {median(hasty) * 1e3:.3f} ms, reading {median(read) * 1e3:.3f} ms")
print(f"running: after the call {after_call}, after synchronize() {after_synchronize}")

# %%
# The ratios compare the ways within one round; the synchronised clock is the measure.


def ratios(times):
    return {"samples": [t / s for t, s in zip(times, synchronised)]}


measured = {
    "rounds": ROUNDS,
    "product_s": {"samples": synchronised},
    "call_s": {"samples": naive},
    "below_a_twentieth": median(naive) < median(synchronised) / 20,
    "hasty_ratio": ratios(hasty),
    "reading_ratio": ratios(read),
    "running_after_call": after_call,
    "running_after_synchronize": after_synchronize,
    "right": sum(rights),
}
