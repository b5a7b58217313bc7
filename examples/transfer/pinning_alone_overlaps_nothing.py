"""
Pinning alone overlaps nothing
==============================

Does a pinned ``non_blocking`` copy run beside the computation? Only in another stream:
in the same one it has its turn like any other work. And a pageable copy in another
stream keeps the host from starting the computation.
"""

import time
from statistics import median

import torch

# %%
# Something to copy, and a matrix to multiply.

SIZE = 128 * 2**20  # bytes
ROUNDS = 15
pinned = torch.ones(SIZE, dtype=torch.uint8, pin_memory=True)
pageable = torch.ones(SIZE, dtype=torch.uint8)
target = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
factor = torch.ones(2048, 2048, device="cuda")
product = torch.empty_like(factor)


def multiply(times):
    for _ in range(times):
        torch.mm(factor, factor, out=product)


# %%
# The copy in the current stream, and in a stream of its own.


def copy(source):
    target.copy_(source, non_blocking=True)


side = torch.cuda.Stream()


def copy_in_side_stream(source):
    with torch.cuda.stream(side):
        target.copy_(source, non_blocking=True)


# %%
# Timed from the first call until the GPU is idle again.


def seconds(*calls):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for function, argument in calls:
        function(argument)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# There is most to gain when both take equally long. How many products fill the time of
# the pinned copy? Counted when the GPU is warm.

warm_until = time.perf_counter() + 0.5  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    seconds((copy, pinned), (copy_in_side_stream, pageable), (multiply, 10))
ten = median(seconds((multiply, 10)) for _ in range(5))
times = max(1, round(10 * median(seconds((copy, pinned)) for _ in range(5)) / ten))
print(f"the copy takes as long as {times} products")

# %%
# Each case is compared with its two parts, one after the other with the GPU idle
# between them. The cases take turns, so that a drift of the machine hits all alike.

CASES = {
    "one stream": (copy, pinned),
    "two streams": (copy_in_side_stream, pinned),
    "two streams, pageable": (copy_in_side_stream, pageable),
}
shares = {name: [] for name in CASES}
for _ in range(ROUNDS):
    for name, copying in CASES.items():
        apart = seconds(copying) + seconds((multiply, times))
        shares[name].append(seconds(copying, (multiply, times)) / apart)
for name, samples in shares.items():
    print(f"{name:>21}: {median(samples):.0%} of the time of the parts")

# %%
# Half of the time is the best that two equal parts can reach.

measured = {
    "one_stream_share": {"samples": shares["one stream"]},
    "two_streams_share": {"samples": shares["two streams"]},
    "pageable_two_streams_share": {"samples": shares["two streams, pageable"]},
}
