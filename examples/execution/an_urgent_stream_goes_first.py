"""
An urgent stream goes first
===========================

What does the priority of a stream change? When a kernel has more blocks than the GPU can run
at once, the blocks of a more urgent stream are next, before those that are still waiting. At
the same priority, they come last. Blocks that already run are not interrupted.
"""

import time
from statistics import median

import torch

urgent = torch.cuda.Stream(priority=-1)  # a lower number is a higher priority
print(urgent.priority, torch.cuda.Stream.priority_range())

# %%
# A large matmul has many more blocks than fit on the GPU at once; a small one has few. Both
# wait for the same event, and the small one also for a short sleep: it comes when the large one
# runs. ``torch.cuda._sleep`` is private to PyTorch and may change.

LARGE, SMALL, ROUNDS = 8192, 256, 8  # rows and columns, FP32
HOLD, LEAD = 2_000_000, 1_000_000  # cycles: a millisecond and half of one
here, equal = torch.cuda.current_stream(), torch.cuda.Stream()
large, large_out = torch.randn(2, LARGE, LARGE, device="cuda")
small, small_out = torch.randn(2, SMALL, SMALL, device="cuda")
big = torch.cuda.Stream()
begin, big_done, small_done = (torch.cuda.Event(enable_timing=True) for _ in range(3))


def attempt(stream):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    with torch.cuda.stream(big):
        big.wait_event(begin)
        torch.mm(large, large, out=large_out)
        big_done.record()
    with torch.cuda.stream(stream):
        stream.wait_event(begin)
        torch.cuda._sleep(LEAD)
        torch.mm(small, small, out=small_out)
        small_done.record()
    torch.cuda.synchronize()
    return [begin.elapsed_time(event) / 1e3 for event in (small_done, big_done)]


# %%
# How long after the start is the small matmul done, as a share of the time that the large one
# takes? And what does it take alone?


def alone():
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    torch.cuda._sleep(LEAD)
    torch.mm(small, small, out=small_out)
    small_done.record()
    small_done.synchronize()
    return begin.elapsed_time(small_done) / 1e3


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    attempt(equal), attempt(urgent), alone()
found = {"equal": [], "urgent": []}
by_itself = []
streams = {"equal": equal, "urgent": urgent}
for turn in range(ROUNDS):
    for name in sorted(streams, reverse=turn % 2):
        found[name].append(attempt(streams[name]))
    by_itself.append(alone())
shares = {name: [s / b for s, b in times] for name, times in found.items()}
slowdown = [u[1] / e[1] for u, e in zip(found["urgent"], found["equal"])]
for name, values in shares.items():
    print(f"{name}: done after {median(values):.0%} of the large matmul's time")
print(f"the large one takes {median(slowdown):.2f} times as long")

# %%
# Times from the start of the large matmul, and shares of its time.

measured = {
    "equal_share": {"samples": shares["equal"]},
    "urgent_share": {"samples": shares["urgent"]},
    "alone_s": {"samples": by_itself},
    "large_s": {"samples": [b for _, b in found["equal"]]},
    "large_slowdown": {"samples": slowdown},
}
