"""
First calls load kernels
========================

Why is the first call slow? The first use of the GPU in a process sets up its context. After
that, the first call of an operation loads the kernels that no other operation has loaded, and
for many operations does not return until the GPU has finished the work queued before it.
"""

import time
from statistics import median

import torch

# %%
# Time twenty operations on an idle GPU, and call twenty others while it is busy. None of these
# operations is used anywhere else in the process.

IDLE = "sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh exp expm1 log log2 log10"
IDLE += " log1p sqrt rsqrt"
BUSY = (
    "reciprocal square abs neg sign floor ceil trunc round frac erf erfc sigmoid relu"
)
BUSY += " signbit logical_not isnan amax amin prod"
LATER = 5  # calls after the first

# %%
# The first operation pays for the context: the driver's state for this process on this GPU.

begin = time.perf_counter()
x = torch.full((1000,), 0.5, device="cuda")
torch.cuda.synchronize()
context = time.perf_counter() - begin
print(f"first use of the GPU: {context * 1e3:.0f} ms")

# %%
# A delay keeps the GPU busy for a few milliseconds; its function is private to PyTorch and may
# change. It also serves to warm up the clocks, so that only loading can make a first call slow.

DELAY = 10_000_000  # cycles

warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    torch.cuda._sleep(DELAY)
    torch.cuda.synchronize()

# %%
# On an idle GPU, time from the call to the end of the work.


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
# Two more reasons: the first matmul also sets up cuBLAS, and for an allocation of a size that
# PyTorch does not have yet, it asks the driver.

factor, result = (torch.full((512, 512), 0.5, device="cuda") for _ in range(2))
product = first_and_later(lambda _: torch.mm(factor, factor, out=result))
memory = first_and_later(lambda _: torch.empty(2**30, dtype=torch.uint8, device="cuda"))
for name, (once, again) in {"product": product, "allocation": memory}.items():
    print(f"first {name} {once * 1e6:.0f} us, later {again * 1e6:.0f} us")

# %%
# On a busy GPU, a call counts as waiting if it takes more than half of the GPU's busy time.


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
# Times come from the operations on an idle GPU, shares from those on a busy one.

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
