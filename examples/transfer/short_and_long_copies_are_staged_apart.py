"""
Short and long copies are staged apart
======================================

Pageable copies that wait behind a held stream take up staging space in the driver. Do
short and long copies share that space? No, but streams share the space for long ones:
if it is full, a copy waits for the other stream, even if its own stream is idle.
"""

import torch

# %%
# Use as many copies of each kind as the driver stages here, or a few less.

SHORT, LONG, TRIES = 2**16, 2**20, 3  # bytes: 64 KiB and 1 MiB
HOLD = 80_000_000  # cycles: tens of milliseconds, on any GPU
pageable = torch.ones(LONG, dtype=torch.uint8)
gpu = torch.ones(LONG, dtype=torch.uint8, device="cuda")
here, side = torch.cuda.current_stream(), torch.cuda.Stream()
released = torch.cuda.Event()


def returned_early(count, size, stream=here):
    with torch.cuda.stream(stream):
        early = 0
        for _ in range(count):
            gpu[:size].copy_(pageable[:size], non_blocking=True)
            early += not released.query()
    return early


# %%
# A kernel that only sleeps holds the current stream. Some copies are queued behind it
# first, followed by those that count, in the same stream or in another one.


def early_after(first, then, cycles=HOLD):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    released.record()
    returned_early(*first)
    return returned_early(*then)


cases = {
    "long-after-short": ((60, SHORT), (2, LONG)),
    "short-after-long": ((2, LONG), (60, SHORT)),
    "third-long": ((2, LONG), (1, LONG)),
    "aside": ((0, LONG), (1, LONG, side)),
    "aside-after-short": ((60, SHORT), (1, LONG, side)),
    "aside-after-long": ((2, LONG), (1, LONG, side)),
    "short-aside-after-long": ((2, LONG), (1, SHORT, side)),
}

# %%
# How many calls returned while the stream was held?

early_after((1, LONG, side), (1, SHORT, side), 1000)  # loads the kernel
table = []
for name, (first, then) in cases.items():
    early = sum(early_after(first, then) for _ in range(TRIES))
    table.append({"case": name, "calls": TRIES * then[0], "early": early})
    print("{case}: {early} of {calls} returned early".format(**table[-1]))

# %%
# The values are counts of calls.

measured = {"by_case": {"table": table}}
