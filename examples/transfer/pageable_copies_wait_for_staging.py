"""
Pageable copies wait for staging
================================

With ``non_blocking=True``, when does a call still wait? Into pageable memory, always.
From pageable memory, when the driver runs out of room to stage the copy: after fewer
long copies than short ones, and immediately for the longest. With pinned memory, and
with the shortest copies from pageable memory, after about a thousand copies, probably
when the queue is full.
"""

import torch

# %%
# The sizes lie on both sides of what the driver stages at once.

SIZES = [2**10, 2**16, 2**17, 2**20, 2**22]  # bytes: 1 KiB to 4 MiB
LIMIT, TRIES = 2000, 20  # copies: more than any queue here can hold
pageable = torch.ones(SIZES[-1], dtype=torch.uint8)
pinned = torch.ones(SIZES[-1], dtype=torch.uint8, pin_memory=True)
gpu = torch.ones(SIZES[-1], dtype=torch.uint8, device="cuda")
arms = {
    "from_pinned": (gpu, pinned),
    "from_pageable": (gpu, pageable),
    "to_pinned": (pinned, gpu),
    "to_pageable": (pageable, gpu),
}

# %%
# A kernel that only sleeps holds the stream, so that no copy can run. How many calls in
# a row still return before one waits for the kernel?

released = torch.cuda.Event()


def hold(cycles):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    released.record()


def queued(target, source, cycles):
    hold(cycles)
    for count in range(LIMIT):
        target.copy_(source, non_blocking=True)
        if released.query():
            return count
    return LIMIT


# %%
# Hold the stream for several times as long as a thousand calls take. Call each kind of
# copy once beforehand, because the first call of anything is slow.

for target, source in arms.values():
    queued(target, source, 100_000)
cycles = 80_000_000  # tens of milliseconds, on any GPU

table = []
for size in SIZES:
    row = {"size_bytes": size}
    for name, (target, source) in arms.items():
        row[name] = queued(target[:size], source[:size], cycles)
    table.append(row | {"staged_bytes": size * row["from_pageable"]})
    print(", ".join(f"{name} {value:,}" for name, value in table[-1].items()))

# %%
# If a call returns before its copy has begun, may the host already write to the source?
# It may if the source is pageable, because its bytes are in the staging buffer by then.

SMALL = 2**20  # bytes


def overwritten(source):
    source.zero_()
    hold(cycles // 8)
    gpu[:SMALL].copy_(source, non_blocking=True)
    source.fill_(1)
    return bool(gpu[:SMALL].any())


overwritten(pinned[:SMALL])  # loads the kernels
sources = pageable[:SMALL], pinned[:SMALL]
wrong = [sum(overwritten(source) for _ in range(TRIES)) for source in sources]
print(f"wrong of {TRIES}: from pageable memory {wrong[0]}, from pinned {wrong[1]}")

# %%
# The values are counts of copies and of tries, and the number of bytes that the driver
# staged.

measured = {
    "by_size": {"table": table},
    "tries": TRIES,
    "small_bytes": SMALL,
    "wrong_from_pageable": wrong[0],
    "wrong_from_pinned": wrong[1],
}
