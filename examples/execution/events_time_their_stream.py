"""
Events time their stream
========================

What does a pair of events time, and what must you wait for before you read the time? An event
marks a point in a single stream. It does not cover work in other streams, and waiting for it
leaves them running. Asking for the time before the GPU has reached both events is an error.
"""

import time

import torch

# %%
# The second stream stands in for a library's. The delay function is private to PyTorch.

SIZE, ROUNDS, DELAY = 4096, 20, 20_000_000  # the last in cycles: some milliseconds

a, b = (torch.randn(SIZE, SIZE, device="cuda") for _ in range(2))
side = torch.cuda.Stream()
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

# %%
# Wrong: ``record()`` uses the current stream, here the default one, which is idle.


def recorded_outside():
    start.record()
    with torch.cuda.stream(side):
        a @ b
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3


# %%
# Right: both events are recorded in the matmul's own stream.


def recorded_inside():
    with torch.cuda.stream(side):
        start.record()
        a @ b
        end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 1e3


# %%
# The reference is the host's clock, read when the whole GPU is idle.


def by_clock():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    a @ b
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    by_clock(), recorded_outside(), recorded_inside(), a + b, torch.cuda._sleep(1)

# %%
# A pair of events has missed the matmul if it shows less than half of the matmul's time.

missed_outside = missed_inside = 0
for _ in range(ROUNDS):
    half = by_clock() / 2
    missed_outside += recorded_outside() < half
    missed_inside += recorded_inside() < half
print(f"missed: outside {missed_outside}, inside {missed_inside} of {ROUNDS} times")

# %%
# ``end.synchronize()`` waits for one stream. A delay queued earlier on the other stream is still
# running when a short sum is done and its time is available.

known_meanwhile = 0
for _ in range(ROUNDS):
    with torch.cuda.stream(side):
        torch.cuda._sleep(DELAY)
    start.record()
    a + b
    end.record()
    end.synchronize()
    known_meanwhile += start.elapsed_time(end) > 0 and not side.query()
    torch.cuda.synchronize()
print(f"the delay still ran {known_meanwhile} of {ROUNDS} times")

# %%
# Read too early, or created without ``enable_timing``, events raise.


def error_of(first, second):
    first.record()
    a @ b
    second.record()
    try:
        first.elapsed_time(second)
    except (RuntimeError, ValueError) as error:
        return error
    return "no error"


too_early = error_of(start, end)
untimed = error_of(torch.cuda.Event(), torch.cuda.Event())
print(f"too early: {too_early}\nuntimed:   {untimed}")

# %%
# Counts, and the two exceptions.

measured = {
    "rounds": ROUNDS,
    "missed_outside": missed_outside,
    "missed_inside": missed_inside,
    "known_meanwhile": known_meanwhile,
    "too_early": too_early,
    "untimed": untimed,
}
