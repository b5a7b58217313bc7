"""
A launch returns at once
========================

Why does a matmul that takes milliseconds seem to take microseconds? A call on CUDA tensors
only queues the work. A clock read when the call returns has timed the call; a clock read
after ``torch.cuda.synchronize()`` has timed the work.
"""

import time

import torch

a, b = torch.randn(2, 8192, 8192, device="cuda")
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:  # loads the kernel, raises the clock
    a @ b
    torch.cuda.synchronize()

begin = time.perf_counter()  # the GPU is idle
start.record()
for _ in range(10):
    a @ b
end.record()
torch.cuda.synchronize()  # the GPU is done
by_clock = (time.perf_counter() - begin) / 10
by_events = start.elapsed_time(end) / 1000 / 10  # elapsed_time is in milliseconds
print(f"by the clock {by_clock:.5f} s, by events {by_events:.5f} s")

# %%
# That was right. Wrong: nothing waits for the matmul, and the clock is read once it is queued.

from statistics import median

queue, number = torch.cuda.current_stream(), torch.zeros(1, device="cuda")


def naive_seconds():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ b
    return time.perf_counter() - begin


# %%
# Right again: the host waits for the GPU each time before it reads the clock.


def synchronised_seconds():
    torch.cuda.synchronize()  # idle
    begin = time.perf_counter()
    a @ b
    torch.cuda.synchronize()  # done
    return time.perf_counter() - begin


# %%
# Wrong in another way: the host waits only at the end, and also times work queued earlier.


def hasty_seconds():
    begin = time.perf_counter()  # the previous matmul is still running
    a @ b
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# A program that reads a result already waits: ``item()`` waits for the current stream.


def reading_seconds(value):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ b
    read = number.fill_(value).add_(1).mul_(2).item()  # queued after the matmul
    return time.perf_counter() - begin, read == 2 * (value + 1)


# %%
# The functions take turns. The hasty one follows the naive one, which leaves a matmul queued.
# Without waiting, ``query()`` tells whether the queue is empty.

reading_seconds(0)  # warm-up: loads its kernels
ROUNDS, rows, after_call, after_synchronize = 20, [], 0, 0
for turn in range(ROUNDS):
    naive = naive_seconds()
    after_call += not queue.query()
    hasty, synchronised = hasty_seconds(), synchronised_seconds()
    after_synchronize += not queue.query()
    rows.append((naive, hasty, synchronised, *reading_seconds(turn)))

naive, hasty, synchronised, read, rights = zip(*rows)
for name, times in {"naive": naive, "hasty": hasty, "right": synchronised}.items():
    print(f"{name}: {median(times) * 1e3:.3f} ms")

# %%
# Ratios compare times from the same round, relative to the synchronised clock.


def ratios(times):
    return {"samples": [t / s for t, s in zip(times, synchronised)]}


measured = {
    "rounds": ROUNDS,
    "clock_over_events_ratio": {"samples": [by_clock / by_events]},
    "product_s": {"samples": synchronised},
    "call_s": {"samples": naive},
    "below_a_twentieth": median(naive) < median(synchronised) / 20,
    "hasty_ratio": ratios(hasty),
    "reading_ratio": ratios(read),
    "running_after_call": after_call,
    "running_after_synchronize": after_synchronize,
    "right": sum(rights),
}
