"""
Events measure the GPU
======================

Events or the host's clock? For long work they agree, as long as the clock waits for the GPU.
For short work, the clock also counts launching and waiting. Events do the same when the GPU
has nothing queued; behind other work, they measure what the GPU does.
"""

import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Matmuls of square matrices, which take from a few microseconds to many milliseconds.

SIZES = [2**k for k in range(7, 14)]
ROUNDS = 10
AHEAD = (
    10_000_000  # cycles: the GPU waits that long while the host queues what is timed
)

factors = {n: [torch.randn(n, n, device="cuda") for _ in range(2)] for n in SIZES}

# %%
# Read the host's clock when the call returns, and again when the matmul is done.


def by_clock(a, b):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ b
    returned = time.perf_counter()
    torch.cuda.synchronize()
    return returned - begin, time.perf_counter() - begin


# %%
# Events are queued before and after the matmul, just like the matmul itself. The GPU records
# the time when it reaches an event. Once it has reached the second one, ``elapsed_time``
# returns the difference in milliseconds.


def by_events(a, b):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    a @ b
    end.record()
    end.synchronize()  # the host waits until the GPU has reached it
    return start.elapsed_time(end) / 1e3


# %%
# An idle GPU reaches the first event before the host has even called the matmul, and the gap
# is timed, too. Behind a delay, both events and the matmul are queued before the GPU reaches
# the first event. The delay's function is private to PyTorch and may change.


def by_events_behind_a_delay(a, b):
    torch.cuda._sleep(AHEAD)
    return by_events(a, b)


# %%
# Before timing anything, load every kernel and let the GPU raise its clocks.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for pair in factors.values():
        by_clock(*pair)
        by_events_behind_a_delay(*pair)

# %%
# For each size, the methods take turns. The others are compared with the last one.

sweep = []
print("  size:       call      clock     events   behind a delay, in microseconds")
for size, pair in factors.items():
    rows = []
    for _ in range(ROUNDS):
        call, clock = by_clock(*pair)
        rows.append((call, clock, by_events(*pair), by_events_behind_a_delay(*pair)))
    times = [list(column) for column in zip(*rows)]
    ratios = [[t / s for t, s in zip(column, times[3])] for column in times[1:3]]
    sweep.append([size, *times, *ratios])
    print(f"{size:6}: " + " ".join(f"{median(t) * 1e6:10.1f}" for t in times))

# %%
# The call takes about the same time whatever the size.

_, axes = plt.subplots()
for column, label in enumerate(("call", "clock", "events", "behind a delay"), start=1):
    medians = [median(row[column]) * 1e3 for row in sweep]
    axes.loglog(SIZES, medians, "o-", base=2, label=label)
axes.set_yscale("log", base=10)
axes.set(xlabel="rows and columns", ylabel="ms")
axes.legend()
plt.show()

# %%
# Times in seconds, and the ratios of the clock and of events to events behind a delay.

names = ("size", "call_s", "clock_s", "events_s", "delayed_s")
names += ("clock_ratio", "events_ratio")
kept = [[size, *({"samples": x} for x in lists)] for size, *lists in sweep]
measured = {"by_size": {"table": [dict(zip(names, row)) for row in kept]}}
