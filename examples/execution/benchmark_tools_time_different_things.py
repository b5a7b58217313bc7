"""
Benchmark tools time different things
=====================================

Which one is right: ``torch.utils.benchmark``, ``triton.testing.do_bench`` or a pair of events?
On a long kernel, they agree. On a short one, the first shows how often a loop can call it, and
the second how long it takes when its data is not in the GPU's cache.
"""

from statistics import median

import torch
from torch.utils.benchmark import Timer
from triton.testing import do_bench

# %%
# A long matmul and a short one, and additions whose data does or does not fit in an H200's cache.

MIB = 2**20 // 4  # in floats


def product(size):
    a, b, c = (torch.randn(size, size, device="cuda") for _ in range(3))
    return lambda: torch.mm(a, b, out=c)


def addition(mebibytes):
    a, b = torch.randn(2, mebibytes * MIB, device="cuda")
    return lambda: torch.add(a, 1, out=b)


KERNELS = {"long-product": product(4096), "short-product": product(128)}
KERNELS |= {f"add-{size}-mib": addition(size) for size in (1, 16, 256)}

# %%
# The events are queued behind a delay, so the GPU never waits for the host (the delay's function
# is private to PyTorch and may change). The first call fills the cache; writing elsewhere
# empties it. A single pair can enclose several calls in a row.

elsewhere = torch.empty(256 * MIB, device="cuda")
overtaken = []


def by_events(kernel, calls=1, cold=False):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    torch.cuda._sleep(40_000_000)  # cycles: some tens of milliseconds
    kernel()
    if cold:
        elsewhere.zero_()
    start.record()
    for _ in range(calls):
        kernel()
    end.record()
    overtaken.append(start.query())  # true if the GPU had to wait for the host
    end.synchronize()
    return start.elapsed_time(end) / 1e3 / calls


# %%
# Both tools, and three ways to use events. The tools warm up by themselves.

CALLS = {"long-product": 5}


def by_timer(kernel, calls):
    return Timer("kernel()", globals={"kernel": kernel}).timeit(calls).median


WAYS = {
    "timer": lambda kernel, calls: by_timer(kernel, 4 * calls),
    "do_bench": lambda kernel, _: do_bench(kernel, 5, 20, return_mode="median") / 1e3,
    "pair": lambda kernel, _: by_events(kernel),
    "cold": lambda kernel, _: by_events(kernel, cold=True),
    "row": lambda kernel, calls: by_events(kernel, calls),
}
COMPARED = {"timer": "row", "pair": "row", "cold": "pair", "do_bench": "cold"}

# %%
# For each kernel, the methods take turns. The first round loads what they need.

ROUNDS, table = 5, []
for name, kernel in KERNELS.items():
    calls = CALLS.get(name, 50)
    rows = [[ask(kernel, calls) for ask in WAYS.values()] for _ in range(ROUNDS + 1)]
    times = dict(zip(WAYS, zip(*rows[1:])))
    print(f"{name:>13}:", *(f"{way} {median(t) * 1e6:.1f}" for way, t in times.items()))
    row = {"kernel": name} | {f"{way}_s": {"samples": times[way]} for way in WAYS}
    for way, other in COMPARED.items():
        pairs = zip(times[way], times[other])
        row[f"{way}_ratio"] = {"samples": [one / two for one, two in pairs]}
    table.append(row)
empty = [by_events(lambda: None) for _ in range(ROUNDS)]
print(f"nothing: pair {median(empty) * 1e6:.1f} us")

# %%
# Times per call in seconds, and ratios: Timer and a pair of events to a row of calls, a pair
# with a cold cache to a pair with a warm one, and do_bench to a pair with a cold cache.

measured = {"by_kernel": {"table": table}, "empty_pair_s": {"samples": empty}}
measured["never_overtaken"] = not any(overtaken)
