"""
A pinned source must stay unchanged
===================================

May the host write to a pinned tensor once ``to("cuda", non_blocking=True)`` has
returned? Not before the copy is done: the GPU reads the memory when the copy's turn
comes, and takes whatever is there by then. Dropping the tensor is safe.
"""

# sphinx_gallery_quiet = "host"
import time

import torch

# %%
# Send zeros to the GPU, and have the host overwrite its tensor with ones. Every one
# that reaches the GPU is an error. The wrong way overwrites the source immediately.

COUNT = 2**20  # floats: 4 MiB
TRIES = 20
pinned = torch.zeros(COUNT, pin_memory=True)
pageable = torch.zeros(COUNT)


def overwrite_at_once(host):
    gpu = host.to("cuda", non_blocking=True)
    host.fill_(1)
    return gpu


# %%
# The right way waits for the copy with an event, not for the whole GPU.


def overwrite_after_event(host):
    gpu = host.to("cuda", non_blocking=True)
    copied = torch.cuda.Event()
    copied.record()
    copied.synchronize()
    host.fill_(1)
    return gpu


# %%
# When a tensor is dropped, its block returns to the pinned-memory allocator. If the
# allocator handed it to the next tensor immediately, the ones in that tensor would
# reach the GPU just the same.


def drop_at_once(_):
    host = torch.zeros(COUNT, pin_memory=True)
    gpu = host.to("cuda", non_blocking=True)
    del host
    torch.ones(COUNT, pin_memory=True)
    return gpu


# %%
# Run one try. A kernel that only sleeps can hold the stream, so that the copy waits for
# its turn as it would behind real work.


def is_wrong(way, host, cycles=0):
    host.zero_()
    torch.cuda.synchronize()
    if cycles:
        torch.cuda._sleep(cycles)
    return bool(way(host).any())


ways = (overwrite_at_once, overwrite_after_event, drop_at_once)
warm_until = time.perf_counter() + 0.1  # loads every kernel, and raises the clocks
while time.perf_counter() < warm_until:
    for way in ways:
        is_wrong(way, pinned, cycles=100_000)

# %%
# How often do ones reach the GPU with no other work on it? The copy starts immediately,
# and takes about as long as the host needs to write.

natural = [
    sum(is_wrong(overwrite_at_once, pinned) for _ in range(TRIES)) / TRIES
    for _ in range(10)
]
print(f"wrong without a held stream: {sum(natural) / len(natural):.0%} of the tries")

# %%
# With the stream held for some milliseconds, the outcome no longer depends on luck.

HOLD_S, CYCLES = 0.015, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))

cases = [(way, pinned) for way in ways] + [(overwrite_at_once, pageable)]
wrong = [sum(is_wrong(*case, hold) for _ in range(TRIES)) for case in cases]
print(f"wrong of {TRIES}: at once {wrong[0]}, after the event {wrong[1]},")
print(f"dropped {wrong[2]}, at once from pageable memory {wrong[3]}")

# %%
# Count the tries in which the GPU received bytes that were written after the call.

measured = {
    "tries": TRIES,
    "wrong_naturally_share": {"samples": natural},
    "wrong_at_once": wrong[0],
    "wrong_after_event": wrong[1],
    "wrong_dropped": wrong[2],
    "wrong_from_pageable": wrong[3],
}
