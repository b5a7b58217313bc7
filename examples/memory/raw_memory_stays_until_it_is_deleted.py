"""
Raw memory stays until it is deleted
====================================

How does another library get memory that PyTorch counts? ``caching_allocator_alloc`` gives an
address out of PyTorch's own blocks. It is counted like a tensor, and stays until
``caching_allocator_delete`` gets the same address: no variable holds it, so none frees it.
"""

import torch

SIZE = 3 * 2**20  # bytes
address = torch.cuda.caching_allocator_alloc(SIZE)
print(f"{torch.cuda.memory_allocated()} bytes allocated, at {address:#x}")


class Raw:
    """Memory at an address, as other libraries describe it."""

    def __init__(self, data, count):
        shape = {"shape": (count,), "typestr": "<f4", "data": (data, False)}
        self.__cuda_array_interface__ = {**shape, "version": 3}


x = torch.as_tensor(Raw(address, SIZE // 4), device="cuda")
x.fill_(7)
print(x.sum().item(), "in a tensor that uses that memory")

# %%
# The tensor does not own the memory: without it, and with the address forgotten, all stays counted.

import gc

same_address = x.data_ptr() == address
del x
gc.collect()
torch.cuda.empty_cache()
without_names = torch.cuda.memory_allocated()
reserved_without_names = torch.cuda.memory_reserved()

# %%
# Deleted, it can serve the next tensor, and a second deletion raises an error.


def failure(call, *arguments):
    try:
        call(*arguments)
    except RuntimeError as error:
        return type(error)(str(error).partition(":")[0])  # an address follows
    return "no error"


torch.cuda.caching_allocator_delete(address)
after_delete = torch.cuda.memory_allocated()
twice = failure(torch.cuda.caching_allocator_delete, address)
y = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
reused = y.data_ptr() == address
inside = failure(torch.cuda.caching_allocator_delete, y.data_ptr() + 512)
nothing = torch.cuda.caching_allocator_alloc(0)

# %%
# The memory belongs to a stream, as a tensor's does: by default to the current one.

side = torch.cuda.Stream()
in_side = torch.cuda.caching_allocator_alloc(SIZE, stream=side)
torch.cuda.caching_allocator_delete(in_side)
z = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
with torch.cuda.stream(side):
    w = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
measured = {
    "size_bytes": SIZE,
    "same_address": same_address,
    "without_names_bytes": without_names,
    "reserved_without_names_bytes": reserved_without_names,
    "after_delete_bytes": after_delete,
    "twice": twice,
    "reused": reused,
    "inside_a_block": inside,
    "nothing": nothing,
    "reused_by_another_stream": z.data_ptr() == in_side,
    "reused_by_its_stream": w.data_ptr() == in_side,
}
