"""
A pool keeps its memory
=======================

What does ``torch.cuda.MemPool`` do with memory? It keeps what is freed in it for its own tensors,
even when the cache is emptied, until the pool itself is deleted. Only the thread that opened the
block fills the pool, and backward runs in another one.
"""

# sphinx_gallery_quiet = "nothing"
import torch

SIZE = 2**26  # 64 MiB: a segment of its own, of exactly this size

pool = torch.cuda.MemPool()
with torch.cuda.use_mem_pool(pool):
    inside = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
address = inside.data_ptr()
outside = torch.empty(SIZE, dtype=torch.uint8, device="cuda")
held = sum(segment["total_size"] for segment in pool.snapshot())
print(f"the pool holds {held} of {torch.cuda.memory_reserved()} reserved bytes")

# %%
# The tensor goes, and the cache is emptied. What does the pool hold, and for which tensors?


def empty():
    return torch.empty(SIZE, dtype=torch.uint8, device="cuda")


del inside
torch.cuda.empty_cache()
held_freed = sum(segment["total_size"] for segment in pool.snapshot())
before = torch.cuda.memory_reserved()
other = empty()  # free memory of the pool is not for this one
taken_outside = torch.cuda.memory_reserved() - before
before = torch.cuda.memory_reserved()
with torch.cuda.use_mem_pool(pool):
    again = empty()
    torch.cuda.empty_cache()
taken_again = torch.cuda.memory_reserved() - before
reused = again.data_ptr() == address
print(f"held when free: {held_freed}, taken by a tensor outside: {taken_outside}")

# %%
# The end of a pool without tensors. What is returned is what is no longer reserved.

del again, other, outside
torch.cuda.empty_cache()
before = torch.cuda.memory_reserved()
del pool
returned_by_pool = before - torch.cuda.memory_reserved()
print(f"returned by the pool: {returned_by_pool}")

# %%
# Forward and backward of a layer in a block: are its output and its gradients in the pool?

layer = torch.nn.Linear(1024, 1024, device="cuda")
x = torch.randn(1024, 1024, device="cuda")


def is_in(pool, tensor):
    at = tensor.data_ptr()
    spans = [(s["address"], s["address"] + s["total_size"]) for s in pool.snapshot()]
    return any(begin <= at < end for begin, end in spans)


def train(multithreading):
    layer.zero_grad()
    pool = torch.cuda.MemPool()
    threads = torch.autograd.set_multithreading_enabled(multithreading)
    with threads, torch.cuda.use_mem_pool(pool):
        output = layer(x)
        output.sum().backward()
    gradients = [parameter.grad for parameter in layer.parameters()]
    return is_in(pool, output), sum(is_in(pool, gradient) for gradient in gradients)


layer(x).sum().backward()  # libraries take their workspaces outside
output_inside, gradients_inside = train(multithreading=True)
_, gradients_of_one_thread = train(multithreading=False)
measured = {
    "size_bytes": SIZE,
    "held_bytes": held,
    "held_when_free_bytes": held_freed,
    "taken_outside_bytes": taken_outside,
    "taken_again_bytes": taken_again,
    "reused": reused,
    "returned_by_the_pool_bytes": returned_by_pool,
    "output_inside": output_inside,
    "gradients": len([*layer.parameters()]),
    "gradients_inside": gradients_inside,
    "gradients_inside_of_one_thread": gradients_of_one_thread,
}
