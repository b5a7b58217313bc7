"""
A first call warms up
=====================

Is one call enough to warm up an operation? For the same dtype it is: a new shape may use the same
kernel. A new dtype needs another kernel, and its first call is slow again.
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
print(f"first {seconds(torch.erfinv, x) * 1e6:.0f} µs")
print(f"again {seconds(torch.erfinv, x) * 1e6:.0f} µs")

# %%
# Other operations, of which none has been called: several, because some share a kernel with
# another, and their first call is not slow. Copies in the other dtype and shape are made before.

from statistics import median

NAMES = ["sinh", "cosh", "atanh", "log1p", "expm1", "tan", "asin", "acos", "atan"]
double = torch.rand(1000, device="cuda", dtype=torch.float64)
matrix = torch.rand(40, 25, device="cuda")
for other in (x, double, matrix):
    seconds(torch.neg, other)

# %%
# Warm up the clocks for a fixed time, so that only loading can make a first call slow.

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    seconds(torch.neg, x)

# %%
# First and second calls in FP32, then with another shape, then in FP64.

times = {"first": [], "again": [], "shape": [], "dtype": [], "dtype again": []}
for name in NAMES:
    operation = getattr(torch, name)
    for way, argument in zip(times, (x, x, matrix, double, double)):
        times[way].append(seconds(operation, argument))
typical = {way: median(values) for way, values in times.items()}
for way, value in typical.items():
    print(f"{way:>11}: {value * 1e6:.0f} µs")

# %%
# Medians of these operations, compared.

measured = {
    "operations": len(NAMES),
    "first_over_tenfold": typical["first"] > 10 * typical["again"],
    "same_kernel_again": typical["shape"] < 2 * typical["again"],
    "other_dtype_over_fivefold": typical["dtype"] > 5 * typical["dtype again"],
}
