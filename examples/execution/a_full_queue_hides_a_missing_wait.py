"""
A full queue hides a missing wait
=================================

What does a clock show that does not wait for the GPU at the end? Of a short row of calls, next to
nothing. Of a row that is longer than the queue, most of the time, because the calls have to wait
for room: the number looks right, and is too small.
"""

import time

import torch

# %%
# The addition takes much longer than its launch. The queue takes about a thousand launches.

SHORT, LONG, ROWS = 500, 3000, 3
x = torch.zeros(2**27, device="cuda")


def share_without_a_wait(calls):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        x.add_(1)
    too_early = time.perf_counter() - begin
    torch.cuda.synchronize()
    return too_early / (time.perf_counter() - begin)


# %%
# How much of the time does the clock show that is read when the last call returns?

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    share_without_a_wait(10)
short = [share_without_a_wait(SHORT) for _ in range(ROWS)]
long = [share_without_a_wait(LONG) for _ in range(ROWS)]
print(f"of {SHORT} calls: {max(short):.1%} at most")
print(f"of {LONG} calls: {min(long):.1%} to {max(long):.1%}")

measured = {
    "short": SHORT,
    "long": LONG,
    "rows": ROWS,
    "short_below_a_tenth": sum(share < 0.1 for share in short),
    "long_above_half": sum(share > 0.5 for share in long),
    "long_below_nine_tenths": sum(share < 0.9 for share in long),
}
