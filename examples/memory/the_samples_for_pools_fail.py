"""
The samples for pools fail
==========================

Do the samples for ``torch.cuda.MemPool`` in the notes on CUDA semantics run? Two of four do not:
one is no Python, one makes random integers. The assertions in the last one hold.
"""

# sphinx_gallery_quiet = "nothing"
import ast

import torch

# %%
# The samples as they stand; ``allocator`` is that of the caching allocator here.

DELETE = """
del tensor, del pool
"""

LAST_RESORT = """
pool = torch.cuda.MemPool(allocator, use_on_oom=True)
with torch.cuda.use_mem_pool(pool):
    a = torch.randn(40 * 1024 * 1024, dtype=torch.uint8, device="cuda")
del a

# at the memory limit, this will succeed by using pool's memory in order to avoid the oom
b = torch.randn(40 * 1024 * 1024, dtype=torch.uint8, device="cuda")
"""

COUNTS = """
pool = torch.cuda.MemPool(allocator)

# pool's use count should be 1 at this point as MemPool object
# holds a reference
assert pool.use_count() == 1

nelem_1mb = 1024 * 1024 // 4

with torch.cuda.use_mem_pool(pool):
    out_0 = torch.randn(nelem_1mb, device="cuda")

    # pool's use count should be 2 at this point as use_mem_pool
    # holds a reference
    assert pool.use_count() == 2

# pool's use count should be back to 1 at this point as use_mem_pool
# released its reference
assert pool.use_count() == 1

with torch.cuda.use_mem_pool(pool):
    # pool should have 1 segment since we made a small allocation (1 MB)
    # above and so the CUDACachingAllocator packed it into a 2 MB buffer
    assert len(pool.snapshot()) == 1

    out_1 = torch.randn(nelem_1mb, device="cuda")

    # pool should still have 1 segment since we made another small allocation
    # (1 MB) that got packed into the existing 2 MB buffer
    assert len(pool.snapshot()) == 1

    out_2 = torch.randn(nelem_1mb, device="cuda")

    # pool now should have 2 segments since the CUDACachingAllocator had
    # to make a new 2 MB buffer to accommodate out_2
    assert len(pool.snapshot()) == 2
"""

# %%
# Each sample runs on its own; of an error its first line is kept.


def run(sample):
    pool = torch.cuda.MemPool()
    given = {"torch": torch, "allocator": None, "pool": pool, "tensor": None}
    try:
        exec(compile(sample, "sample", "exec"), given)
    except Exception as error:
        return type(error)(str(error).splitlines()[0])
    return True


delete, last_resort, counts = map(run, (DELETE, LAST_RESORT, COUNTS))
print(delete, last_resort, counts, sep="\n")

# %%
# The first two run with one word changed each.

measured = {
    "delete": delete,
    "delete_corrected": run(DELETE.replace(", del", ",")),
    "last_resort": last_resort,
    "last_resort_corrected": run(LAST_RESORT.replace("randn", "empty")),
    "counts_hold": counts,
    "assertions": sum(isinstance(n, ast.Assert) for n in ast.walk(ast.parse(COUNTS))),
}
