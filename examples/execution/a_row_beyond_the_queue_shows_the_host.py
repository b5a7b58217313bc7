"""
A row beyond the queue shows the host
=====================================

How long may a row of short kernels be that I time behind something long? Up to about a thousand
launches, which is what the queue takes. In a longer row, the host cannot get further ahead, however
long the kernel in front is, and the events show the pace of the host again.
"""

# sphinx_gallery_quiet = "host"
import torch

x = torch.zeros(1, device="cuda")
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
for calls in (500, 500, 10_000):  # the first row warms up
    torch.cuda.synchronize()
    torch.cuda._sleep(200_000_000)  # about a tenth of a second; private, may change
    start.record()
    for _ in range(calls):
        x.add_(1)
    end.record()
    end.synchronize()
    print(f"{calls} calls, µs each: {start.elapsed_time(end) / calls * 1e3:.1f}")

# %%
# Rows of several lengths, behind a kernel that only sleeps, for longer than all launches take, or
# with nothing in front. Is the sleep still running when the first calls have returned?

import time
from statistics import median

LENGTHS, ROUNDS = (200, 800, 2000, 10_000), 5
HOLD = 300_000_000  # cycles of the GPU's clock: more than a tenth of a second


def seconds(calls, cycles):
    torch.cuda.synchronize()
    if cycles:
        torch.cuda._sleep(cycles)
    start.record()
    for _ in range(LENGTHS[0]):
        x.add_(1)
    ahead = not start.query()
    for _ in range(calls - LENGTHS[0]):
        x.add_(1)
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / calls / 1e3, ahead


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(LENGTHS[0], 0)

# %%
# The rows take turns. Each is compared with the shortest one that was held, round by round.

ahead, rounds = 0, []
for _ in range(ROUNDS):
    took = {}
    for calls in LENGTHS:
        took[calls, "bare"], _ = seconds(calls, 0)
        took[calls, "held"], was_ahead = seconds(calls, HOLD)
        ahead += was_ahead
    rounds.append(took)

rows = []
for calls in LENGTHS:
    row = {"calls": calls}
    for way in ("bare", "held"):
        each = [took[calls, way] for took in rounds]
        ratios = [t / took[LENGTHS[0], "held"] for t, took in zip(each, rounds)]
        row |= {f"{way}_s": {"samples": each}, f"{way}_ratio": {"samples": ratios}}
        print(f"{calls:>6} calls, {way}, µs each: {median(each) * 1e6:.2f}")
    rows.append(row)

# %%
# Times per call, and how many times as long as a call of the shortest row that was held.

held_rows = ROUNDS * len(LENGTHS)
measured = {"held_rows": held_rows, "ahead": ahead, "by_calls": {"table": rows}}
