"""
An urgent stream goes first
===========================

What does the priority of a stream change? When a kernel has more blocks than the GPU can run
at once, the blocks of a more urgent stream run next, before those that are still waiting. At
the same priority, the new blocks come last. Running blocks are not interrupted: a kernel whose
blocks all run at once leaves nothing to decide.
"""

import time
from statistics import median

import torch

urgent = torch.cuda.Stream(priority=-1)  # a lower number is a higher priority
print(urgent.priority, urgent.priority_range())

# %%
# The large matmul is in FP32, where it has many more blocks than fit on the GPU at once, or in
# BF16, where cuBLAS may use other kernels; the small matmul has few blocks. Both wait for the same
# event, and the small one also waits for a short sleep, so it arrives when the large one runs.
# ``torch.cuda._sleep`` is private to PyTorch and may change.

SMALL, ROUNDS = 256, 8  # rows and columns, FP32
HOLD, LEAD = 2_000_000, 1_000_000  # cycles: a millisecond and half of one
here, equal = torch.cuda.current_stream(), torch.cuda.Stream()
larges = {
    "FP32": torch.randn(2, 8192, 8192, device="cuda"),
    "BF16": torch.randn(2, 16384, 16384, device="cuda", dtype=torch.bfloat16),
}
small, small_out = torch.randn(2, SMALL, SMALL, device="cuda")
big = torch.cuda.Stream()
begin, big_done, small_done = (torch.cuda.Event(enable_timing=True) for _ in range(3))


def attempt(stream, large, large_out):
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
# How long after the start does the small matmul finish, as a share of the time that the large one
# takes? And how long does the small one take alone?


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
    [attempt(s, *pair) for s in (equal, urgent) for pair in larges.values()], alone()
table, left, by_itself = [], {}, [alone() for _ in range(ROUNDS)]
for dtype, pair in larges.items():
    found = {equal: [], urgent: []}
    for turn in range(ROUNDS):  # one is first, and then the other
        for stream in (equal, urgent)[:: -1 if turn % 2 else 1]:
            found[stream].append(attempt(stream, *pair))
    shares = {stream: [s / b for s, b in times] for stream, times in found.items()}
    left[dtype] = [1 - share for share in shares[urgent]]
    slowdown = [u[1] / e[1] for u, e in zip(found[urgent], found[equal])]
    row = {"dtype": dtype, "equal_share": {"samples": shares[equal]}}
    row |= {"urgent_share": {"samples": shares[urgent]}}
    row |= {"large_s": {"samples": [b for _, b in found[equal]]}}
    table.append(row | {"large_slowdown": {"samples": slowdown}})
    done = ", ".join(f"{median(values):.0%}" for values in shares.values())
    print(f"{dtype}: equal, urgent done after {done}; {median(slowdown):.2f} as long")

# %%
# Record the times from the start of the large matmul, the shares of its time, and the share of its
# time that is still to come when the urgent matmul is done.

measured = {"by_kernel": {"table": table}, "alone_s": {"samples": by_itself}}
measured["urgent_left_share"] = {"samples": left["FP32"]}
