"""
A full queue stops the host
===========================

How many small ``non_blocking`` copies are in flight at once? Only a few, because the
GPU keeps up with a loop. If it is held, about a thousand calls return, fewer from
pageable memory; the next one waits. As a single copy, the same bytes would take the
GPU far less time.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# More tensors than fit in the queue, in one block of each kind of memory.

CALLS, SMALL, LARGE, TRIES = 1200, 4096, 16384, 3
pageable = torch.ones(CALLS, LARGE, dtype=torch.uint8)
pinned = pageable.pin_memory()
gpu = torch.empty_like(pageable, device="cuda")


def rows(block, size):
    return [row[:size] for row in block]


def copy_all(targets, sources):
    for target, source in zip(targets, sources):
        target.copy_(source, non_blocking=True)


# %%
# A kernel that only sleeps can hold the stream for longer than the calls take.

COUNT = 900  # as many as fit in the queue
targets, sources = rows(gpu, SMALL)[:COUNT], rows(pinned, SMALL)[:COUNT]
whole = [gpu.view(-1)[: COUNT * SMALL]], [pinned.view(-1)[: COUNT * SMALL]]
mark, begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(3))
HOLD_S, CYCLES = 0.015, 10_000_000
warm_until = time.perf_counter() + 0.1  # a fixed time: clocks ramp up slowly
while time.perf_counter() < warm_until:
    copy_all(targets, sources)
    begin.record()
    torch.cuda._sleep(CYCLES)
    end.record()
    end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))

# %%
# A mark precedes the last fifty calls: has the GPU passed it when the loop returns?


def loop():
    torch.cuda.synchronize()
    clock = time.perf_counter()
    copy_all(targets[50:], sources[50:])
    mark.record()
    copy_all(targets[:50], sources[:50])
    passed = float(mark.query())
    torch.cuda.synchronize()
    return passed, time.perf_counter() - clock


# %%
# To measure the GPU's own time, everything is queued before the GPU may begin.


def gpu_seconds(targets, sources):
    torch.cuda.synchronize()
    torch.cuda._sleep(hold)
    begin.record()
    copy_all(targets, sources)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


passed, loops = zip(*(loop() for _ in range(TRIES)))
many = [gpu_seconds(targets, sources) for _ in range(TRIES)]
one = [gpu_seconds(*whole) for _ in range(TRIES)]
shown = (f"{median(times) * 1e3:.2f} ms" for times in (loops, many, one))
print("loop {}; on the GPU {}, as one copy {}".format(*shown), "kept up:", passed)

# %%
# How many calls return while the stream is held, before one has to wait?


def queued(block, size):
    pairs = list(zip(rows(gpu, size), rows(block, size)))
    torch.cuda.synchronize()
    torch.cuda._sleep(hold)
    begin.record()
    for number, (target, source) in enumerate(pairs):
        target.copy_(source, non_blocking=True)
        if begin.query():
            return number
    return CALLS


cases = {"pinned": (pinned, SMALL), "small": (pageable, SMALL)}
cases["large"] = (pageable, LARGE)
counts = {name: [queued(*cases[name]) for _ in range(TRIES)] for name in cases}
print(f"queued while the stream was held: {counts}")

# %%
# Values that may vary are given as samples.

measured = {
    "copies": COUNT,
    "small_bytes": SMALL,
    "large_bytes": LARGE,
    "kept_up_share": {"samples": list(passed)},
    "gpu_share": {"samples": [a / b for a, b in zip(many, loops)]},
    "gpu_slowdown": {"samples": [a / b for a, b in zip(many, one)]},
    "pinned_queued": {"samples": counts["pinned"]},
    "small_queued_bytes": {"samples": [count * SMALL for count in counts["small"]]},
    "large_queued_bytes": {"samples": [count * LARGE for count in counts["large"]]},
}
