"""
Host memory stats tell what is held
===================================

How much memory is pinned? ``torch.cuda.host_memory_stats()`` reports how much PyTorch
holds, how much of it tensors use, and how often PyTorch had to ask CUDA for memory.
Before PyTorch 2.13, what tensors use did not fall when they were deleted. And
``torch.cuda.empty_cache()`` releases no pinned memory.
"""

from pathlib import Path

import torch

# %%
# The life of a buffer: what is held at each step?

MIB = 2**20
ASKED, NEXT = 129 * MIB, 200 * MIB  # both round up to the same power of two
torch.ones(1, device="cuda").cpu()  # starting CUDA takes host memory, too
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12

# %%
# Two values for what PyTorch holds and what is in use, and two for how often it called
# CUDA.

KEYS = {
    "held_bytes": "allocated_bytes.current",
    "used_bytes": "active_bytes.current",
    "made": "num_host_alloc",
    "given_back": "num_host_free",
}
steps = []


def note(step):
    stats = torch.cuda.host_memory_stats()
    steps.append({"step": step} | {name: stats[key] for name, key in KEYS.items()})
    print(steps[-1])


# %%
# The operating system keeps track as well: of how much it could still give to programs,
# and of what it believes to be locked.


def from_system(file, key):
    lines = Path(file).read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


# %%
# Pinned, deleted, and pinned again by another function and with another size: all
# functions that pin memory share one allocator, so the block is the same.

available = from_system("/proc/meminfo", "MemAvailable")
buffer = torch.zeros(ASKED, dtype=torch.uint8, pin_memory=True)
address = buffer.data_ptr()
taken = available - from_system("/proc/meminfo", "MemAvailable")
locked = from_system("/proc/self/status", "VmLck")
note("pinned")
print(f"the system has {taken / MIB:.0f} MiB less, and counts {locked} bytes as locked")
del buffer
note("deleted")
buffer = torch.ones(NEXT, dtype=torch.uint8).pin_memory()
same_block = buffer.data_ptr() == address
note("pinned_again")

# %%
# Deleted while a copy from it is still queued: emptying the cache leaves the block
# alone until the copy is done.

buffer.to("cuda")
torch.cuda._sleep(100_000)  # loads the kernel
torch.cuda.synchronize()
torch.cuda._sleep(100_000_000)  # some tens of milliseconds
buffer.to("cuda", non_blocking=True)
del buffer
empty_host_cache()
note("emptied_while_copying")

# %%
# ``torch.cuda.empty_cache()`` releases only GPU memory.

torch.cuda.synchronize()
torch.cuda.empty_cache()
note("empty_cache")
empty_host_cache()
note("empty_host_cache")

# %%
# Counts and bytes are exact. What the system has left is not, but it is clear whether
# the system lost the requested size or the rounded one.

measured = {
    "asked_bytes": ASKED,
    "next_bytes": NEXT,
    "steps": {"table": steps},
    "same_block": same_block,
    "locked_bytes": locked,
    "system_lost_rounded": taken > 1.4 * ASKED,
}
