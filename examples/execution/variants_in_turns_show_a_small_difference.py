"""
Variants in turns show a small difference
=========================================

Which of two variants is faster, if they differ by a few percent? Time them in turns, many times,
and look at the ratio in each turn: what slows both cancels out. Then run the program again, since
the rounds of one process may agree with each other and not with those of the next.
"""

import time
from statistics import quantiles

import torch

x = torch.ones(2048, 2048, device="cuda")
long = torch.randn(8192, 8192, device="cuda")


def old():
    for _ in range(200):
        x.neg_()


def new():  # 5 % more work
    for _ in range(210):
        x.neg_()


def seconds(function):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    long @ long  # takes longer than all launches of the function
    start.record()
    function()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1000  # elapsed_time is in milliseconds


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(old), seconds(new)
ratios = [seconds(new) / seconds(old) for _ in range(30)]
low, middle, high = quantiles(ratios)
print(f"new over old: {middle:.3f}, half of the turns in {low:.3f} to {high:.3f}")

# %%
# Two variants with the same work, in turns, should take the same time.


def same():
    for _ in range(200):
        x.neg_()


equal = [seconds(same) / seconds(old) for _ in range(30)]
_, _, equal_high = quantiles(equal)
print("same over old: {:.3f} {:.3f} {:.3f}".format(*quantiles(equal)))

# %%
# Is the matmul long enough? Then it is still running when the last call returns.


def host_stays_ahead(function):
    torch.cuda.synchronize()
    event = torch.cuda.Event()
    long @ long
    event.record()
    function()
    return not event.query()


TRIES = 10
ahead = sum(host_stays_ahead(new) for _ in range(TRIES))
print(f"the host stayed ahead in {ahead} of {TRIES} tries")

# %%
# Launches of a tiny kernel, by the clock: the host sets the pace, and it differs from process to
# process. Two rows of the same length take turns.

tiny = torch.zeros(1, device="cuda")


def host_seconds():
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(200):
        tiny.add_(1)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    host_seconds()
host_ratios = [host_seconds() / host_seconds() for _ in range(100)]
print("equal rows of launches: {:.3f} {:.3f} {:.3f}".format(*quantiles(host_ratios)))

# %%
# The difference shows in a process if even the lower quartile of its ratios is above the upper
# quartile of the ratios of equal variants.

measured = {
    "equal_ratio": {"samples": equal},
    "longer_ratio": {"samples": ratios},
    "difference_shows": low > equal_high,
    "equal_launches_ratio": {"samples": host_ratios},
    "tries": TRIES,
    "ahead": ahead,
}
