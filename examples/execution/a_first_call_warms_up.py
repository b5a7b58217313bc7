"""
A first call warms up
=====================

Is one call enough to warm up an operation? Almost: the first call loads the file that holds the
operation's kernels. Another shape is not slow again, and another dtype hardly.
"""

# sphinx_gallery_evidence = {"fresh": True}
import time

import torch

x = torch.rand(1000, device="cuda")


def seconds(operation, *arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    operation(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


seconds(torch.neg, x)  # the context, and the memory of a result
print(f"first {seconds(torch.sin, x) * 1e6:.0f} µs")
print(f"again {seconds(torch.sin, x) * 1e6:.0f} µs")

# %%
# Time several other operations that have not been called: some share a kernel with another, and
# their first call is not slow. The other dtype and shape have been used before.

from statistics import median

NAMES = ["sinh", "cosh", "atanh", "log1p", "expm1", "tan", "asin", "acos", "atan"]
double = torch.rand(1000, device="cuda", dtype=torch.float64)
for other in (x, double, x.view(40, 25)[:, :20], double.view(40, 25)[:, :20]):
    seconds(torch.neg, other)

# %%
# Warm up the clocks for a fixed time, so that only loading can make a first call slow.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(torch.neg, x)

# %%
# First and second calls, then with another shape and layout, then in the other dtype. Every other
# operation begins with FP64, so that neither dtype is always the first.

times = {"first": [], "again": [], "shape": [], "dtype": [], "dtype again": []}
for number, name in enumerate(NAMES):
    operation = getattr(torch, name)
    one, other = (double, x) if number % 2 else (x, double)
    shape = one.view(40, 25)[:, :20]
    for way, argument in zip(times, (one, one, shape, other, other)):
        times[way].append(seconds(operation, argument))
typical = {way: median(values) for way, values in times.items()}
for way, value in typical.items():
    print(f"{way:>11}: {value * 1e6:.0f} µs")

# %%
# Compare the medians of these operations.

measured = {
    "operations": len(NAMES),
    "first_over_tenfold": typical["first"] > 10 * typical["again"],
    "shape_below_a_tenth": typical["shape"] < typical["first"] / 10,
    "dtype_below_a_tenth": typical["dtype"] < typical["first"] / 10,
}
