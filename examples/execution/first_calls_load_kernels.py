"""
First calls load kernels
========================

Why is the first call slow? The first use of the GPU in a process sets up its context. After
that, the first call of an operation loads those of its kernels that no other has loaded,
and for many operations does not return until the GPU has finished what was queued before.
"""

import time
from statistics import median

import torch

# %%
# Twenty operations are timed on an idle GPU, twenty others are called while it is busy. No
# operation is used anywhere else in this process.

IDLE = "sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh exp expm1 log log2 log10"
IDLE += " log1p sqrt rsqrt"
BUSY = (
    "reciprocal square abs neg sign floor ceil trunc round frac erf erfc sigmoid relu"
)
BUSY += " signbit logical_not isnan amax amin prod"
LATER = 5  # calls after the first

# %%
# Whoever comes first pays for the context: the driver's state for this process on this GPU.

begin = time.perf_counter()
x = torch.full((1000,), 0.5, device="cuda")
torch.cuda.synchronize()
context = time.perf_counter() - begin
print(f"first use of the GPU: {context * 1e3:.0f} ms")

# %%
# A delay keeps the GPU busy for some milliseconds; its function is private to PyTorch and may
# change. It is also what the clocks are warmed with, so that nothing but the loading makes a
# first call slow.

DELAY = 10_000_000  # cycles

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    torch.cuda._sleep(DELAY)
    torch.cuda.synchronize()

# %%
# On an idle GPU: from the call to the end of the work.


def seconds(operation):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    operation(x)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def first_and_later(operation):
    return seconds(operation), median(seconds(operation) for _ in range(LATER))


first, later = zip(*(first_and_later(getattr(torch, name)) for name in IDLE.split()))
print(f"first call {median(first) * 1e6:.0f} us, later {median(later) * 1e6:.0f} us")
much_slower = sum(once > 20 * again for once, again in zip(first, later))
print(f"first calls take from {min(first) * 1e6:.0f} to {max(first) * 1e6:.0f} us;")
print(f"more than 20 times as long as later: {much_slower} of {len(first)}")

# %%
# Two more reasons: the first product sets up cuBLAS as well, and memory of a size that
# PyTorch has not got yet comes from the driver.

factor, result = (torch.full((512, 512), 0.5, device="cuda") for _ in range(2))
product = first_and_later(lambda _: torch.mm(factor, factor, out=result))
memory = first_and_later(lambda _: torch.empty(2**30, dtype=torch.uint8, device="cuda"))
for name, (once, again) in {"product": product, "allocation": memory}.items():
    print(f"first {name} {once * 1e6:.0f} us, later {again * 1e6:.0f} us")

# %%
# On a busy one: the call waits when it takes more than half of the time that the GPU is busy.


def waits(operation):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    torch.cuda._sleep(DELAY)
    operation(x)
    returned = time.perf_counter() - begin
    torch.cuda.synchronize()
    return returned > 0.5 * (time.perf_counter() - begin)


operations = [getattr(torch, name) for name in BUSY.split()]
first_waits = [waits(operation) for operation in operations]
later_waits = [waits(operation) for operation in operations]
print(f"waited: {sum(first_waits)} first calls, {sum(later_waits)} later ones")
print(
    "did not wait at first:", *(n for n, w in zip(BUSY.split(), first_waits) if not w)
)

# %%
# Times are those of the operations on an idle GPU, shares those on a busy one.

measured = {
    "operations": len(operations),
    "context_s": {"samples": [context]},
    "first_s": {"samples": first},
    "later_s": {"samples": later},
    "first_slowdown": {"samples": [f / s for f, s in zip(first, later)]},
    "much_slower_share": {"samples": [much_slower / len(first)]},
    "product_over_hundredfold": product[0] > 100 * product[1],
    "allocation_over_tenfold": memory[0] > 10 * memory[1],
    "first_waited_share": {"samples": [sum(first_waits) / len(operations)]},
    "later_waited_share": {"samples": [sum(later_waits) / len(operations)]},
}
