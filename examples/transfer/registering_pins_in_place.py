"""
Registering pins in place
=========================

Can an existing tensor be pinned without making a second copy of it? Yes: ``cudaHostRegister``
pins its memory in place. If that memory has been written before, registering takes a fraction
of the time of a first ``pin_memory()``.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# CUDA provides two functions. Unregister the memory before it is freed.

cudart = torch.cuda.cudart()


def register(tensor):
    code = cudart.cudaHostRegister(tensor.data_ptr(), tensor.nbytes, 0)
    torch.cuda.check_error(code)


def unregister(tensor):
    torch.cuda.check_error(cudart.cudaHostUnregister(tensor.data_ptr()))


# %%
# PyTorch recognises the tensor as pinned, but its allocator does not know about it.

SIZES, ROUNDS, CALLS = (2**20, 2**27), 4, 20  # bytes: 1 and 128 MiB
tensor = torch.ones(SIZES[-1], dtype=torch.uint8)
target = torch.empty_like(tensor, device="cuda")
before = tensor.is_pinned()
register(tensor)
registered = tensor.is_pinned()
held = torch.cuda.host_memory_stats()["allocated_bytes.current"]
unregister(tensor)
after = tensor.is_pinned()
print(f"is_pinned(): {before}, registered {registered}, unregistered {after}")

# %%
# Time each step from the call until the GPU is idle again.


def seconds(work, *arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    result = work(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin, result


# %%
# Each round registers memory that was written before, and then has PyTorch pin it for the
# first time since the allocator was emptied.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def one_round(size):
    source, to = tensor[:size], target[:size]
    steps = [(to.copy_, source), (register, source), (to.copy_, source)]
    times = [seconds(*step)[0] for step in [*steps, (unregister, source)]]
    empty_host_cache()
    first, pinned = seconds(source.pin_memory)
    return [*times, first, seconds(to.copy_, pinned)[0]]


warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    one_round(SIZES[-1])

# %%
# Run both sizes. Ratios are computed within each round.

NAMES = ("plain", "register", "copy", "unregister", "first_pinning", "pinned_copy")
table = []
for size in SIZES:
    rounds = [dict(zip(NAMES, one_round(size))) for _ in range(ROUNDS)]
    whole = [(r["register"] + r["copy"] + r["unregister"]) / r["plain"] for r in rounds]
    row = {
        "pinning_ratio": [r["first_pinning"] / r["register"] for r in rounds],
        "copy_ratio": [r["copy"] / r["pinned_copy"] for r in rounds],
        "whole_slowdown": whole,
    }
    print(f"{size:>11,} bytes:", {name: f"{median(row[name]):.2g}" for name in row})
    samples = {name: {"samples": values} for name, values in row.items()}
    table.append({"size_bytes": size} | samples)

# %%
# A copy from registered memory does not make the host wait.

register(tensor)
early = 0
for _ in range(CALLS):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    target.copy_(tensor, non_blocking=True)
    returned = time.perf_counter()
    torch.cuda.synchronize()
    early += returned - begin < 0.5 * (time.perf_counter() - begin)
unregister(tensor)
print(f"returned early: {early} of {CALLS}")

# %%
# The whole consists of registering, copying and unregistering, relative to the plain copy.

measured = {
    "by_size": {"table": table},
    "pinned_before": before,
    "pinned_registered": registered,
    "pinned_after": after,
    "held_bytes": held,
    "calls": CALLS,
    "early": early,
}
