"""
Host memory stats tell what is held
===================================

How much memory is pinned? ``torch.cuda.host_memory_stats()`` says what PyTorch holds,
and how often it had to ask CUDA for it. What tensors use of it, PyTorch 2.11 does not
count down again. And ``torch.cuda.empty_cache()`` gives nothing of it back.
"""

from pathlib import Path

import torch

# %%
# A buffer's life: what is held at each of its steps?

MIB = 2**20
ASKED, NEXT = 129 * MIB, 200 * MIB  # no powers of two, and the same one above them
torch.ones(1, device="cuda").cpu()  # CUDA's own start takes host memory, too
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12

# %%
# Two numbers of what PyTorch holds and of what is in use, two of how often it asked
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
# The operating system keeps books as well: what it could still give to programs, and
# what it believes to be locked.


def from_system(file, key):
    lines = Path(file).read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


# %%
# Pinned, deleted, and pinned again by another function and with another size: all ways
# to pinned memory share one allocator, and the block is the same.

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
# Deleted while a copy from it waits for its turn: emptying leaves the block alone until
# the copy is done.

buffer.to("cuda")
torch.cuda._sleep(100_000)  # loads the kernel
torch.cuda.synchronize()
torch.cuda._sleep(100_000_000)  # some tens of milliseconds
buffer.to("cuda", non_blocking=True)
del buffer
empty_host_cache()
note("emptied_while_copying")

# %%
# ``torch.cuda.empty_cache()`` is for the GPU's memory.

torch.cuda.synchronize()
torch.cuda.empty_cache()
note("empty_cache")
empty_host_cache()
note("empty_host_cache")

# %%
# Counts and bytes are exact. What the system has left is not, but it is clear whether
# it lost what was asked for or what it was rounded to.

measured = {
    "asked_bytes": ASKED,
    "next_bytes": NEXT,
    "steps": {"table": steps},
    "same_block": same_block,
    "locked_bytes": locked,
    "system_lost_rounded": taken > 1.4 * ASKED,
}
