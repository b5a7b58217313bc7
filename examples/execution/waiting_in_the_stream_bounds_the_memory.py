"""
Waiting in the stream bounds the memory
=======================================

Does memory have to pile up when a side stream fetches what the current one uses? With
``record_stream`` it does, as far as the host runs ahead. If the side stream waits until the
tensor before the last one has been used, two blocks are enough, and nothing gets slower.
"""

import time
from collections import deque
from statistics import median

import torch

# %%
# Weights are copied to the GPU in a side stream and used in the current one. The work is a
# kernel that only sleeps, and a sum. ``torch.cuda._sleep`` is private to PyTorch.

COUNT, ROUNDS = 2**22, 10  # floats: 16 MiB, for which the allocator keeps whole blocks
SIZE, WORK = 4 * COUNT, 1_000_000  # bytes; cycles, more than a copy takes
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
hosts = [torch.full((COUNT,), float(i), pin_memory=True) for i in range(4)]


def fetch(step):
    with torch.cuda.stream(side):
        weights = hosts[step % 4].to("cuda", non_blocking=True)
    here.wait_stream(side)
    return weights


def use(weights):
    torch.cuda._sleep(WORK)
    return weights.sum()


# %%
# Three ways that are right: ``record_stream``, a wait before each copy, and two tensors that
# are kept, of which the older one is dropped once the side stream waits for its use.


def recorded(steps):
    for step in range(steps):
        weights = fetch(step)
        yield use(weights)
        weights.record_stream(here)


def waited(steps):
    for step in range(steps):
        side.wait_stream(here)
        yield use(fetch(step))


def kept(steps):
    queue = deque()
    for step in range(steps):
        if len(queue) == 2:
            side.wait_event(queue.popleft()[1])
        weights = fetch(step)
        yield use(weights)
        queue.append((weights, here.record_event()))


# %%
# How much memory does each take if the current stream is held, so that the host is ahead?

WAYS, HOLD = (recorded, waited, kept), 100_000_000  # cycles, about 50 ms


def memory(way, steps):
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    torch.cuda._sleep(HOLD)
    sums = list(way(steps))
    taken = torch.cuda.memory_reserved() - before
    right = [step % 4 * COUNT for step in range(steps)]
    return taken, sum(x.item() != y for x, y in zip(sums, right))


memory(recorded, 1)  # not counted: loads the kernels, and takes memory for the sums
small = torch.zeros(1, device="cuda")  # keeps that memory from being given back
by_steps, wrong = [], 0
for steps in (4, 8, 16):
    found = {way.__name__: memory(way, steps) for way in WAYS}
    by_steps.append(
        {"steps": steps, **{f"{w}_bytes": n for w, (n, _) in found.items()}}
    )
    wrong += sum(count for _, count in found.values())
    print(by_steps[-1])

# %%
# And how long, with the memory in the cache?

STEPS = by_steps[-1]["steps"]
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(way):
    torch.cuda.synchronize()
    begin.record()
    list(way(STEPS))
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    [seconds(way) for way in WAYS]
times = [[seconds(way) for way in WAYS] for _ in range(ROUNDS)]
waited_slowdown = [waited / recorded for recorded, waited, _ in times]
kept_slowdown = [kept / recorded for recorded, _, kept in times]
print(
    f"waited {median(waited_slowdown):.2f}, kept {median(kept_slowdown):.2f} times as long"
)

# %%
# Bytes, a count of wrong sums, and times as multiples of that with ``record_stream``.

measured = {"size_bytes": SIZE, "by_steps": {"table": by_steps}, "wrong": wrong}
measured["waited_slowdown"] = {"samples": waited_slowdown}
measured["kept_slowdown"] = {"samples": kept_slowdown}
