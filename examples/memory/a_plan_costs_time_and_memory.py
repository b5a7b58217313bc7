"""
A plan costs time and memory
============================

What does the plan of an FFT cost? The first transform of a shape makes it, which takes the host
longer than the transform itself. Plans hold memory that PyTorch does not count.
"""

# sphinx_gallery_evidence = {"processes": 6}
import time

import torch

plans = torch.backends.cuda.cufft_plan_cache


def transform(length):
    torch.fft.fft(torch.zeros(length, device="cuda", dtype=torch.complex64))


def seconds(forget):
    if forget:
        plans.clear()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    transform(1000)
    return time.perf_counter() - begin


transform(1000)  # loads the kernels
pairs = [(seconds(forget=True), seconds(forget=False)) for _ in range(30)]
print(f"with a new plan {pairs[-1][0]:.1e} s, with a known one {pairs[-1][1]:.1e} s")

# %%
# What the driver counts more for 200 plans, against what PyTorch does. All are made once before, so
# that no kernel is loaded any more.


def held():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info()
    return total - free, torch.cuda.memory_reserved()


def make_plans():
    for length in range(1000, 1200):
        transform(length)


make_plans()
plans.clear()
start = held()
make_plans()
many, plans_held = held(), plans.size
plans.clear()
size_when_cleared = plans.size
print(f"{plans_held} plans: {(many[0] - start[0]) / 2**20:.1f} MiB")
measured = {
    "planned_slowdown": {"samples": [new / known for new, known in pairs]},
    "plans_held": plans_held,
    "size_when_cleared": size_when_cleared,
    "driver_grew_bytes": {"samples": [many[0] - start[0]]},
    "pytorch_grew_bytes": many[1] - start[1],
}
