"""
Copies queue in their stream
============================

With ``non_blocking=True``, how many copies are in flight at once? From the host, as
many as you queue; on the GPU, one at a time, since they are in one stream. A copy in
another stream, and in the other direction, runs alongside them.
"""

from itertools import pairwise

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

# %%
# Pinned tensors to copy to the GPU, and one for copies back to the host.

COPIES = 20
COUNT = 2**19  # floats: 2 MiB, long enough on the link to be seen side by side
sources = [torch.ones(COUNT, pin_memory=True) for _ in range(COPIES)]
targets = [torch.empty(COUNT, device="cuda") for _ in range(COPIES)]
back = torch.empty(COUNT, pin_memory=True)
side = torch.cuda.Stream()


def copy_all():
    for source, target in zip(sources, targets, strict=True):
        target.copy_(source, non_blocking=True)


# %%
# On the host: a sleeping kernel holds the stream, so no copy can begin. Its function is
# private to PyTorch and may change. How many calls return anyway?

released = torch.cuda.Event()


def early(non_blocking, cycles=100_000):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    released.record()
    count = 0
    for source, target in zip(sources, targets, strict=True):
        target.copy_(source, non_blocking=non_blocking)
        count += not released.query()
    return count


early(True)  # loads the kernel
HOLD = 20_000_000  # cycles: some milliseconds, on any GPU
queued, queued_blocking = early(True, HOLD), early(False, HOLD)
print(f"of {COPIES} calls returned early: {queued}, blocking {queued_blocking}")

# %%
# On the GPU: the profiler records when each copy begins and ends.


def copies_of(work):
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    torch.cuda.synchronize()
    with profile(activities=activities, acc_events=True) as profiler:
        work()
        torch.cuda.synchronize()
    events = [e for e in profiler.events() if e.device_type == DeviceType.CUDA]
    ranges = [e.time_range for e in events if "Memcpy" in e.name]
    return sorted((r.start, r.end) for r in ranges)


def overlaps(ranges):
    return sum(later[0] < earlier[1] for earlier, later in pairwise(ranges))


# %%
# In one stream, and with copies in the other direction in a second one.


def copy_both_ways():
    for source, target in zip(sources, targets, strict=True):
        target.copy_(source, non_blocking=True)
        with torch.cuda.stream(side):
            back.copy_(targets[0], non_blocking=True)


copies_of(copy_all)  # the start of the profiler itself
alone, both = copies_of(copy_all), copies_of(copy_both_ways)
print(f"{len(alone)} copies in one stream: {overlaps(alone)} began too early")
print(f"{len(both)} in two streams, both ways: {overlaps(both)}")

# %%
# Counts of calls and of copies.

measured = {
    "copies": COPIES,
    "queued": queued,
    "queued_blocking": queued_blocking,
    "seen": len(alone),
    "overlaps_in_one_stream": overlaps(alone),
    "both_ways_overlap": overlaps(both) > 0,
}
