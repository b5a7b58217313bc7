"""
A name holds a pinned block
===========================

How many blocks of pinned memory does a loop need if it pins each batch? One, if
nothing refers to a batch when the next one is pinned; a variable that outlives its
step makes it two. A block that one thread leaves behind is available to the other
threads of the process as well.
"""

# sphinx_gallery_quiet = "nothing"
from concurrent.futures import ThreadPoolExecutor

import torch

# %%
# The allocator counts the blocks that it allocates. Emptying its cache lets each case
# start from scratch.

SIZE, STEPS = 2**20, 10  # bytes, and batches
empty_host_cache = getattr(torch.accelerator, "empty_host_cache", None)
empty_host_cache = empty_host_cache or torch._C._host_emptyCache  # before PyTorch 2.12
batch = torch.ones(SIZE, dtype=torch.uint8)
torch.cuda.init()


def blocks_made(work):
    before = torch.cuda.host_memory_stats()["num_host_alloc"]
    work()
    return torch.cuda.host_memory_stats()["num_host_alloc"] - before


# %%
# The same loop, three times. Each step waits for its copy, because a copy in flight
# would hold its block as well.


def without_a_name():
    for _ in range(STEPS):
        batch.pin_memory().to("cuda", non_blocking=True)
        torch.cuda.synchronize()


def with_a_name():
    for _ in range(STEPS):
        pinned = batch.pin_memory()  # while the last step's still exists
        pinned.to("cuda", non_blocking=True)
        torch.cuda.synchronize()


def with_del():
    for _ in range(STEPS):
        pinned = batch.pin_memory()
        pinned.to("cuda", non_blocking=True)
        del pinned
        torch.cuda.synchronize()


# %%
# The very first copy starts CUDA, which takes some pinned memory for itself.

without_a_name()
loops = []
for loop in (without_a_name, with_a_name, with_del):
    empty_host_cache()
    loops.append({"loop": loop.__name__, "blocks": blocks_made(loop)})
    print(loops[-1])

# %%
# From one thread to another: each pins and drops a tensor, and has finished before the
# other begins.

with ThreadPoolExecutor(1) as thread:
    empty_host_cache()
    without_a_name()
    in_thread = blocks_made(lambda: thread.submit(without_a_name).result())
    empty_host_cache()
    thread.submit(without_a_name).result()
    after_thread = blocks_made(without_a_name)
print(f"made in a thread after the main one: {in_thread}, and after it: {after_thread}")

# %%
# Everything here is exact.

measured = {
    "steps": STEPS,
    "by_loop": {"table": loops},
    "in_thread": in_thread,
    "after_thread": after_thread,
}
