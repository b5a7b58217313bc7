"""
A copy to the host must be awaited
==================================

May the host read what ``to("cpu", non_blocking=True)`` returned? Not before the copy is
done: the tensor is there, its values are not. It lies in pinned memory, and for that
the call does not wait. It is enough to wait for an event that stands behind the copy.
"""

import time

import torch

# %%
# Ones come from the GPU, and the host adds them up. The wrong way adds them up at once.

COUNT = 2**20  # floats: 4 MiB, and few enough that a sum of ones is exact
TRIES = 20
gpu = torch.ones(COUNT, device="cuda")


def read_at_once():
    host = gpu.to("cpu", non_blocking=True)
    return host.sum()


# %%
# The right way waits, for an event that stands behind the copy.


def read_after_event():
    host = gpu.to("cpu", non_blocking=True)
    arrived = torch.cuda.Event()
    arrived.record()
    arrived.synchronize()
    return host.sum()


# %%
# Into a pageable tensor that exists already the same argument changes nothing: the call
# returns when the bytes are there.


def read_from_pageable():
    host = torch.zeros(COUNT)
    host.copy_(gpu, non_blocking=True)
    return host.sum()


# %%
# One try. The allocator of pinned memory hands out the block that it got back last,
# here one full of zeros: what is read too early is certainly not the ones.


def is_stale(way, cycles=0):
    torch.cuda.synchronize()
    zeros = torch.zeros(COUNT, pin_memory=True)
    del zeros
    if cycles:
        torch.cuda._sleep(cycles)
    return bool(way() != COUNT)


# %%
# Warm-up: by time, since the clocks take it to rise, and with every kernel.

ways = (read_at_once, read_after_event, read_from_pageable)
warm_until = time.perf_counter() + 0.1
while time.perf_counter() < warm_until:
    for way in ways:
        is_stale(way, cycles=100_000)
result_pinned = gpu.to("cpu", non_blocking=True).is_pinned()
blocking_pinned = gpu.to("cpu").is_pinned()
print(f"pinned: {result_pinned}; without non_blocking: {blocking_pinned}")

# %%
# How often is the sum wrong without any help, with nothing else on the GPU?

natural = [sum(is_stale(read_at_once) for _ in range(TRIES)) / TRIES for _ in range(10)]
print(f"wrong without a held stream: {sum(natural) / len(natural):.0%} of the tries")

# %%
# With the stream held for some milliseconds, as by real work, it is no matter of luck.

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
# The event waits for its own stream: another one may be busy all the while.
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
# Counts of the tries in which the host read something else than the GPU's ones.

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
