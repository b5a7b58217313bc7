"""
Pinning copies once
===================

What does ``pin_memory()`` return, and what does it cost? It returns a copy, or the tensor
itself if that is already pinned. The block is rounded up to a power of two and kept after the
tensor is deleted, so the next request of that size allocates nothing.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["The argument 'device'", "Warning:"]}
# sphinx_gallery_quiet = "nothing"

import torch

SHAPE, STEPS = (4096, 1024), 10
torch.ones(SHAPE).pin_memory().to("cuda")  # pin once before the loop
before = torch.cuda.host_memory_stats()["num_host_alloc"]
for step in range(STEPS):
    batch = torch.full(SHAPE, float(step))  # new data, in pageable memory
    gpu = batch.pin_memory().to("cuda", non_blocking=True)
    result = gpu.square().mean()  # your work on the GPU goes here
new_blocks = torch.cuda.host_memory_stats()["num_host_alloc"] - before
print(f"blocks of pinned memory made in the loop: {new_blocks}")

# %%
# The copy has its own memory. Pinning a tensor that is already pinned copies nothing.

from torch.profiler import ProfilerActivity, profile

MIB = 2**20
pageable = torch.zeros(16 * MIB, dtype=torch.uint8)
pinned = pageable.pin_memory()
pinned[0] = 7
changes_source = bool(pageable[0] == 7)
repins_as_itself = pinned.pin_memory() is pinned
print(f"writing to the copy changes the source: {changes_source}")
print(f"pinning it again gives the same tensor: {repins_as_itself}")

# %%
# A view shares the pinned memory, and a storage can be pinned like a tensor. But the result
# of an operation on a pinned tensor is an ordinary tensor, even that of ``clone``.

made = {
    "tensor": pinned.is_pinned(),
    "view": pinned[MIB:].is_pinned(),
    "storage": pageable.untyped_storage().pin_memory().is_pinned(),
    "clone": pinned.clone().is_pinned(),
    "sum": (pinned + 1).is_pinned(),
}
print(made)

# %%
# The pinned-memory allocator keeps statistics.

empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12


def held_bytes():
    return torch.cuda.host_memory_stats()["allocated_bytes.current"]


# %%
# Pin a tensor whose size is not a power of two, then a smaller one: no block is split.

ASKED, SMALLER = 129 * MIB, 65 * MIB
empty_host_cache()
before = held_bytes()
buffer = torch.empty(ASKED, dtype=torch.uint8, pin_memory=True)
pool = {"allocated": held_bytes() - before}
del buffer
pool["deleted"] = held_bytes() - before
buffer = torch.empty(SMALLER, dtype=torch.uint8, pin_memory=True)
pool["smaller"] = held_bytes() - before
del buffer
empty_host_cache()
pool["emptied"] = held_bytes() - before
print({step: f"{size // MIB} MiB" for step, size in pool.items()})

# %%
# The profiler shows what PyTorch requests from CUDA: an allocation the first time, and none
# the second. The name of a copy tells which kind of memory it reads.


def events_of(work, *arguments):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiler:
        work(*arguments)
        torch.cuda.synchronize()
    return [event.name for event in profiler.events()]


def copy_names(source):
    names = events_of(source.to, "cuda")
    return ", ".join(sorted({name for name in names if "HtoD" in name}))


# %%
# The first use of the profiler does not count, because it includes its startup.

copy_names(pageable)
empty_host_cache()
allocations = [events_of(pageable.pin_memory).count("cudaHostAlloc") for _ in range(2)]
pinned_copy, pageable_copy = copy_names(pinned), copy_names(pageable)
print(f"cudaHostAlloc: {allocations}; copies: {pinned_copy}, {pageable_copy}")

# %%
# All of these values are exact: counts, bytes and names.

measured = {
    "loop_steps": STEPS,
    "loop_blocks": new_blocks,
    "changes_source": changes_source,
    "repins_as_itself": repins_as_itself,
    "made": {"table": [{"kind": kind, "pinned": made[kind]} for kind in made]},
    "asked_bytes": ASKED,
    "smaller_bytes": SMALLER,
    "pool": {"table": [{"step": step, "held_bytes": pool[step]} for step in pool]},
    "first_allocations": allocations[0],
    "later_allocations": allocations[1],
    "pinned_copy": pinned_copy,
    "pageable_copy": pageable_copy,
}
