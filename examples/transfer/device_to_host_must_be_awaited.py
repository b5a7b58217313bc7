"""
A copy to the host must be awaited
==================================

Can the host read what ``to("cpu", non_blocking=True)`` returned? Not until the copy
is done: the tensor exists, but its values are not there yet. It is in pinned memory,
so the call does not wait. Waiting for an event recorded after the copy is enough.
"""

# sphinx_gallery_quiet = "host"
import time

import torch

# %%
# The GPU sends ones, which the host adds up; the wrong way adds them up immediately.

COUNT = 2**20  # floats: 4 MiB, and few enough that a sum of ones is exact
TRIES = 20
gpu = torch.ones(COUNT, device="cuda")


def read_at_once():
    host = gpu.to("cpu", non_blocking=True)
    return host.sum()


# %%
# The right way waits for an event recorded after the copy.


def read_after_event():
    host = gpu.to("cpu", non_blocking=True)
    arrived = torch.cuda.Event()
    arrived.record()
    arrived.synchronize()
    return host.sum()


# %%
# If the target is an existing pageable tensor, the argument makes no difference: the
# call returns when the bytes have arrived.


def read_from_pageable():
    host = torch.zeros(COUNT)
    host.copy_(gpu, non_blocking=True)
    return host.sum()


# %%
# A single try. The allocator of pinned memory hands out the block that it got back
# last, here one full of zeros, so reading too early cannot yield ones.


def is_stale(way, cycles=0):
    torch.cuda.synchronize()
    zeros = torch.zeros(COUNT, pin_memory=True)
    del zeros
    if cycles:
        torch.cuda._sleep(cycles)
    return bool(way() != COUNT)


# %%
# The warm-up is timed, since clocks ramp up slowly, and runs every kernel.

ways = (read_at_once, read_after_event, read_from_pageable)
warm_until = time.perf_counter() + 0.1
while time.perf_counter() < warm_until:
    for way in ways:
        is_stale(way, cycles=100_000)
result_pinned = gpu.to("cpu", non_blocking=True).is_pinned()
blocking_pinned = gpu.to("cpu").is_pinned()
print(f"pinned: {result_pinned}; without non_blocking: {blocking_pinned}")

# %%
# How often is the sum wrong when nothing else runs on the GPU?

natural = [sum(is_stale(read_at_once) for _ in range(TRIES)) / TRIES for _ in range(10)]
print(f"wrong without a held stream: {sum(natural) / len(natural):.0%} of the tries")

# %%
# With the stream held, as by real work, the result does not depend on luck.

HOLD_S, CYCLES = 0.015, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))
stale = [sum(is_stale(way, hold) for _ in range(TRIES)) for way in ways]
print("wrong: at once {}, after the event {}, in pageable memory {}".format(*stale))

# %%
# The event only waits for its own stream: another stream may be busy all the while.
# ``torch.cuda.synchronize()`` would wait for that one as well.

other, busy = torch.cuda.Stream(), 0
for _ in range(TRIES):
    with torch.cuda.stream(other):
        torch.cuda._sleep(hold)
    read_after_event()
    busy += not other.query()
    torch.cuda.synchronize()
print(f"the other stream was still busy in {busy} of {TRIES}")

# %%
# Counts of the tries in which the host read something other than the GPU's ones.

measured = {
    "tries": TRIES,
    "stale_naturally_share": {"samples": natural},
    "stale_at_once": stale[0],
    "stale_after_event": stale[1],
    "stale_in_pageable": stale[2],
    "result_pinned": result_pinned,
    "blocking_pinned": blocking_pinned,
    "other_stream_busy": busy,
}
