"""
Recorded memory comes back late
===============================

What does ``record_stream`` cost? Memory: a block that another stream was recorded for
cannot be handed out while that stream is behind, so a loop that runs ahead takes a new
block each time. And it comes back only when something is allocated.
"""

from collections import deque

import torch

# %%
# Results are computed on the GPU and copied to the host in a stream of its own.

COUNT, STEPS = 2**22, 8  # floats: 16 MiB, for which the allocator keeps whole blocks
KEPT = 2
SIZE = 4 * COUNT
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
hosts = [torch.zeros(COUNT, pin_memory=True) for _ in range(STEPS)]


def offload(step):
    result = torch.full((COUNT,), float(step), device="cuda")
    side.wait_stream(here)
    with torch.cuda.stream(side):
        hosts[step].copy_(result, non_blocking=True)
    return result


# %%
# Four ways to go on. Dropping the result at once is wrong: the next one is written to
# the same memory before the copy has read it.


def dropped():
    for step in range(STEPS):
        offload(step)


def recorded():
    for step in range(STEPS):
        offload(step).record_stream(side)


# %%
# The current stream can wait, and then nothing overlaps. Or the last few results are
# kept, and the oldest is dropped when its own copy is done.


def waited():
    for step in range(STEPS):
        offload(step)
        here.wait_stream(side)


def kept():
    queue = deque()
    for step in range(STEPS):
        if len(queue) == KEPT:
            queue.popleft()[0].synchronize()
        result = offload(step)
        queue.append((side.record_event(), result))


# %%
# How much memory does the loop take when its copies are slow to start? And how many of
# the results are wrong on the host?


def run(loop, cycles):
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    with torch.cuda.stream(side):
        torch.cuda._sleep(cycles)
    loop()
    taken = torch.cuda.memory_reserved() - before
    torch.cuda.synchronize()
    wrong = sum(bool((host != step).any()) for step, host in enumerate(hosts))
    return {"way": loop.__name__, "taken_bytes": taken, "wrong": wrong}


# %%
# Once without counting, since the first launch of a kernel waits.

HOLD = 100_000_000  # cycles, about 50 ms: more than the host needs for the loop
loops = (dropped, recorded, waited, kept)
for loop in loops:
    run(loop, 1000)
rows = [run(loop, HOLD) for loop in loops]
print(*rows, sep="\n")

# %%
# When does a recorded block come back? Not with the end of the copy: the allocator
# looks when it is next asked for memory.


def held_bytes():
    return torch.cuda.memory_stats()["active_bytes.all.current"]


before = held_bytes()
run(recorded, HOLD)
after_copies = held_bytes() - before
torch.empty(1, device="cuda")
after_allocation = held_bytes() - before
print(f"held: {after_copies / SIZE:g} blocks, then {after_allocation / SIZE:g}")

# %%
# Bytes and counts, which are exact.

measured = {
    "steps": STEPS,
    "kept": KEPT,
    "size_bytes": SIZE,
    "by_way": {"table": rows},
    "held_after_copies_bytes": after_copies,
    "held_after_allocation_bytes": after_allocation,
}
