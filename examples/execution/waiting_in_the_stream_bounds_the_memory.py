"""
Waiting in the stream bounds the memory
=======================================

Does memory have to pile up when a side stream fetches what the current stream uses? With
``record_stream``, memory piles up as far as the host runs ahead. If the side stream waits for an
earlier use, two blocks are enough, and nothing gets slower.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# A side stream copies weights; the current stream uses them. (``_sleep`` is private to PyTorch.)

COUNT, ROUNDS = 2**22, 10  # floats: 16 MiB, for which the allocator keeps whole blocks
WORK = 1_000_000  # cycles: half a millisecond, more than a copy takes
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
# The last way keeps two tensors, and its side stream waits for the use of the older.


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
    queue = []
    try:
        for step in range(steps):
            if len(queue) == 2:
                side.wait_event(queue.pop(0)[1])
            weights = fetch(step)
            yield use(weights)
            queue.append((weights, here.record_event()))
    finally:  # also if the caller's loop ends early
        side.wait_stream(here)


# %%
# How much memory does each way take if the current stream is held, so that the host is ahead?

WAYS, HOLD = (recorded, waited, kept), 100_000_000  # cycles, about 50 ms


def memory(way, steps):
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    torch.cuda._sleep(HOLD)
    sums = list(way(steps))
    taken = torch.cuda.memory_reserved() - before
    return taken, sum(x.item() != i % 4 * COUNT for i, x in enumerate(sums))


memory(recorded, 1)  # not counted: loads the kernels
small = torch.zeros(1, device="cuda")  # keeps the memory that the sums need
by_steps, wrong = [], 0
for steps in (4, 8, 16):
    by_steps.append({"steps": steps})
    for way in WAYS:
        by_steps[-1][f"{way.__name__}_bytes"], count = memory(way, steps)
        wrong += count

# %%
# And how long does each way take, with the memory in the cache?

begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(way):
    torch.cuda.synchronize()
    begin.record()
    list(way(16))
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    list(map(seconds, WAYS))
slowdown = {waited: [], kept: []}
for turn in range(ROUNDS):  # forwards and backwards in turn
    times = {way: seconds(way) for way in (WAYS, WAYS[::-1])[turn % 2]}
    for way, found in slowdown.items():
        found.append(times[way] / times[recorded])
print(*by_steps, "waited, kept:", *map(median, slowdown.values()), sep="\n")

# %%
# Record bytes, a count of wrong sums, and times as multiples of the time with ``record_stream``.

measured = {"size_bytes": 4 * COUNT, "by_steps": {"table": by_steps}, "wrong": wrong}
measured |= {f"{way.__name__}_slowdown": {"samples": slowdown[way]} for way in slowdown}
