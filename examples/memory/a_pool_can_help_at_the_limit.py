"""
A pool can help at the limit
============================

Can other tensors use the free memory of a pool before the program runs out of memory? They can if
the pool was made with ``use_on_oom=True``.
"""

# sphinx_gallery_quiet = "nothing"
import torch

MIB = 2**20
LIMIT, SIZE = 64 * MIB, 40 * MIB

torch.cuda.init()
start = torch.cuda.memory_reserved()
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction((start + LIMIT + MIB) / total)

pool = torch.cuda.MemPool(use_on_oom=True)
with torch.cuda.use_mem_pool(pool):
    a = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
del a
b = torch.empty(SIZE, dtype=torch.uint8, device="cuda")  # from the pool, else no memory
print(f"reserved: {(torch.cuda.memory_reserved() - start) / MIB} MiB")

# %%
# Now with each kind of pool, and with room left. What the pool has free is one block, of more than
# half of the limit.

del b, pool
torch.cuda.empty_cache()


def allocate(size):
    return torch.empty(size, dtype=torch.uint8, device="cuda")


def outcome(size, **options):
    torch.cuda.empty_cache()
    pool = torch.cuda.MemPool(**options)
    with torch.cuda.use_mem_pool(pool):
        kept = allocate(SIZE)
    address = kept.data_ptr()
    del kept
    try:
        tensor = allocate(size)
        return "pool" if tensor.data_ptr() == address else "new"
    except torch.OutOfMemoryError:
        return "error"


CASES = {
    "not_allowed": outcome(SIZE),
    "allowed": outcome(SIZE, use_on_oom=True),
    "room_left": outcome(20 * MIB, use_on_oom=True),
}
torch.cuda.empty_cache()
print(CASES)
torch.cuda.set_per_process_memory_fraction(1.0)

measured = {
    "by_case": {"table": [{"case": case, "from": way} for case, way in CASES.items()]},
}
