"""
A pool block empties the cache
==============================

Does a pool run out of memory while memory is cached? Before the allocator gives up, it returns what
it has cached to the driver and tries again, also while a thread has a block of a pool open. PyTorch
2.11 did not, while any thread had one open.
"""

import threading
from contextlib import nullcontext

import torch

MIB = 2**20
LIMIT, CACHED, ASKED = 256 * MIB, 100 * MIB, 200 * MIB
TRIES = 5

torch.cuda.init()
start = torch.cuda.memory_reserved()
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction((start + LIMIT + MIB) / total)
print(f"at most {(start + LIMIT) / MIB} MiB may be reserved")

# %%
# A tensor goes, and leaves its memory cached. Then a larger one is made: only without the cached
# memory does it fit under the limit.


def allocate(size):
    return torch.empty(size, dtype=torch.uint8, device="cuda")


def fits(size):
    try:
        allocate(size)
    except torch.OutOfMemoryError:
        return False
    return True


def in_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(fits(ASKED)))
    thread.start()
    thread.join()
    return found[0]


# %%
# What surrounds the larger tensor, what is done before and in the block, and which thread makes
# the tensor.

WAYS = {
    "no_pool": (False, (), lambda: fits(ASKED)),
    "pool": (True, (), lambda: fits(ASKED)),
    "emptied_inside": (True, ("inside",), lambda: fits(ASKED)),
    "emptied_before": (True, ("before",), lambda: fits(ASKED)),
    "another_thread": (True, (), in_a_thread),
    "another_thread_no_pool": (False, (), in_a_thread),
}


def attempt(way):
    has_block, emptied, make = WAYS[way]
    torch.cuda.empty_cache()
    allocate(CACHED)  # and freed at once
    if "before" in emptied:
        torch.cuda.empty_cache()
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool) if has_block else nullcontext():
        if "inside" in emptied:
            torch.cuda.empty_cache()
        return make()


rows = []
for way in WAYS:
    failed = sum(not attempt(way) for _ in range(TRIES))
    rows.append({"way": way, "failed": failed})
    print(rows[-1])

# %%
# The limit is lifted again.

torch.cuda.set_per_process_memory_fraction(1.0)
measured = {"tries": TRIES, "by_way": {"table": rows}}
