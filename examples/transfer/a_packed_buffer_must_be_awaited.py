"""
A packed buffer must be awaited
===============================

Can the next tensors be packed into the same pinned buffer right away? Not before the
GPU has read the previous ones, or they are overwritten in transit. An event tells you
when.
"""

import torch

# %%
# Zeros are sent, immediately followed by ones, through the same buffer. Every one that
# ends up among the zeros on the GPU is an error.

COUNT, FLOATS, TRIES = 1000, 1000, 20
zeros = [torch.zeros(FLOATS) for _ in range(COUNT)]
ones = [torch.ones(FLOATS) for _ in range(COUNT)]
packed = torch.empty(COUNT * FLOATS, pin_memory=True)
copied = torch.cuda.Event()


def pack_at_once(tensors):
    torch.cat(tensors, out=packed)
    return packed.to("cuda", non_blocking=True).split(FLOATS)


# %%
# The right way waits for an event recorded after the last copy.


def pack_after_event(tensors):
    copied.synchronize()
    torch.cat(tensors, out=packed)
    gpu = packed.to("cuda", non_blocking=True)
    copied.record()
    return gpu.split(FLOATS)


# %%
# A single try. A kernel that only sleeps can hold the stream, as real work would.


def is_wrong(send, cycles=0):
    torch.cuda.synchronize()
    if cycles:
        torch.cuda._sleep(cycles)
    first, _ = send(zeros), send(ones)
    return bool(torch.cat(first).any())


for send in (pack_at_once, pack_after_event):  # loads every kernel
    is_wrong(send, cycles=100_000)

# %%
# With the stream held for some milliseconds, the result does not depend on luck.

HOLD_S, CYCLES = 0.015, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
hold = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))
for send in (pack_at_once, pack_after_event):  # the first copy behind a hold is slow
    is_wrong(send, hold)
wrong = [
    sum(is_wrong(send, hold) for _ in range(TRIES))
    for send in (pack_at_once, pack_after_event)
]
print("wrong: packed at once {}, after the event {}".format(*wrong))

# %%
# Counts of the tries in which the first tensors reached the GPU with values of the
# second.

measured = {
    "tries": TRIES,
    "wrong_at_once": wrong[0],
    "wrong_after_event": wrong[1],
}
