"""
Recorded memory comes back late
===============================

What does ``record_stream`` cost? Memory: a block recorded for another stream cannot be
reused while that stream is behind, so a loop that runs ahead takes a new block each
time. The blocks come back only when something is allocated.
"""

from collections import deque

import torch

# %%
# Compute results on the GPU and copy them to the host in a separate stream.

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
# There are four ways to continue. Dropping the result immediately is wrong: the next
# one is written to the same memory before the copy has read it.


def dropped():
    for step in range(STEPS):
        offload(step)


def recorded():
    for step in range(STEPS):
        offload(step).record_stream(side)


# %%
# The current stream can wait, but then nothing overlaps. Or the last few results are
# kept, and the oldest is dropped once its own copy is done.


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
# How much memory does the loop take if its copies start late? And how many of the
# results on the host are wrong?


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
# Run each loop once without counting, because the first launch of a kernel waits.

HOLD = 100_000_000  # cycles, about 50 ms: more than the host needs for the loop
loops = (dropped, recorded, waited, kept)
for loop in loops:
    run(loop, 1000)
rows = [run(loop, HOLD) for loop in loops]
print(*rows, sep="\n")

# %%
# When does a recorded block come back? Not when the copy ends: the allocator checks the
# next time it is asked for memory.


def held_bytes():
    return torch.cuda.memory_stats()["active_bytes.all.current"]


before = held_bytes()
run(recorded, HOLD)
after_copies = held_bytes() - before
torch.empty(1, device="cuda")
after_allocation = held_bytes() - before
print(f"held: {after_copies / SIZE:g} blocks, then {after_allocation / SIZE:g}")

# %%
# The values are bytes and counts, and exact.

measured = {
    "steps": STEPS,
    "kept": KEPT,
    "size_bytes": SIZE,
    "by_way": {"table": rows},
    "held_after_copies_bytes": after_copies,
    "held_after_allocation_bytes": after_allocation,
}
