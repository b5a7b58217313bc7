"""
Many copies need one wait
=========================

How often must the host wait for copies with ``non_blocking=True``? Once, before it
reads what comes back or overwrites what it sent. The GPU needs no wait: work that is
queued after a copy in the same stream finds the bytes.
"""

import torch

# Pinned tensors on the host, 2 MiB each.
sources = [torch.full((2**19,), float(step), pin_memory=True) for step in range(20)]

# No call waits. Work queued after a copy in the same stream finds the bytes.
on_gpu = [source.to("cuda", non_blocking=True) for source in sources]
means = torch.stack([tensor.mean() for tensor in on_gpu])
on_host = means.to("cpu", non_blocking=True)
copied = torch.cuda.current_stream().record_event()

# Here the host can do something else. Then it waits once and reads the means.
copied.synchronize()
print(on_host)

# %%
# The same as a function, with and without the wait, and with blocking copies.

from torch.profiler import ProfilerActivity, profile

COPIES = len(sources)


def queue(tensors, free=True):
    on_gpu = [tensor.to("cuda", non_blocking=free) for tensor in tensors]
    means = torch.stack([tensor.mean() for tensor in on_gpu])
    return means.to("cpu", non_blocking=free)


def wait_once():
    result = queue(sources)
    torch.cuda.current_stream().record_event().synchronize()
    return result


# %%
# How many means are right after a sleeping kernel, from pinned and pageable sources?

HOLD = 20_000_000  # cycles: some milliseconds, on any GPU


def right(result):
    return sum(mean == step for step, mean in enumerate(result.tolist()))


def right_behind_work(tensors):
    torch.cuda._sleep(HOLD)
    result = queue(tensors)
    returned_early = not torch.cuda.current_stream().query()
    torch.cuda.synchronize()
    return right(result), returned_early


at_once = right(on_host)
from_pinned, pinned_early = right_behind_work(sources)
from_pageable, _ = right_behind_work([source.clone() for source in sources])
print(f"right of {COPIES}: {at_once}; behind work {from_pinned}, {from_pageable}")

# %%
# How often does the host wait for a stream or an event? The profiler counts.


def waits(work):
    torch.cuda.synchronize()
    activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=activities, acc_events=True) as profiler:
        work()
    names = [event.name for event in profiler.events()]
    return names.count("cudaStreamSynchronize") + names.count("cudaEventSynchronize")


waits(wait_once)  # the start of the profiler itself
free_waits, blocking_waits = waits(wait_once), waits(lambda: queue(sources, False))
print(f"waits: {free_waits}, with copies that block {blocking_waits}")

# %%
# Exact counts.

measured = {
    "copies": COPIES,
    "right_at_once": at_once,
    "right_from_pinned": from_pinned,
    "right_from_pageable": from_pageable,
    "pinned_early": pinned_early,
    "free_waits": free_waits,
    "blocking_waits": blocking_waits,
}
