"""
A graph's pool counts as allocated
==================================

What is "allocated in private pools (e.g., CUDA Graphs)" in the message? Memory that captured graphs
keep for themselves and that no tensor uses. The message adds it to what is allocated, so that this
number is larger than what ``memory_allocated()`` reports.
"""

# sphinx_gallery_quiet = "nothing"
import re

import torch

# %%
# A graph is captured whose intermediate tensor is free again: its block stays in the graph's
# private pool, where each replay uses it. The result of the graph is a live tensor.

MIB = 2**20
side = torch.cuda.Stream()
x = torch.ones(16 * MIB, device="cuda")  # 64 MiB
with torch.cuda.stream(side):
    x * 2 + 1  # loads the kernels
torch.cuda.synchronize()
torch.cuda.empty_cache()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    double = x * 2
    result = double + 1
    del double

# %%
# Nothing more may be taken from the driver. A tensor of that size would fit into the graph's block,
# but that is private.

total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction(
    (torch.cuda.memory_reserved() + 1024) / total
)


def attempt():
    try:
        torch.empty(64 * MIB, dtype=torch.uint8, device="cuda")
    except torch.OutOfMemoryError as error:
        return str(error)


def number(before, after=""):
    return round(float(re.search(rf"{before}([\d.]+) MiB{after}", message)[1]) * MIB)


message = attempt()
print(message)
said_allocated = number("Of the allocated memory ")
said_private = number("with ", " allocated in private pools")

# %%
# A snapshot has the blocks of the graph's pool that no tensor uses.

parts = [part for part in torch.cuda.memory_snapshot() if any(part["segment_pool_id"])]
blocks = [block for part in parts for block in part["blocks"]]
unused = sum(block["size"] for block in blocks if block["state"] == "inactive")
print(f"{unused / MIB} MiB of the pool are unused")

# %%
# Without the graph and its result, the memory is for everybody.

live = torch.cuda.memory_allocated()
del graph, result
fits = attempt() is None

measured = {
    "intermediate_bytes": 64 * MIB,
    "said_private_bytes": said_private,
    "private_is_unused": abs(said_private - unused) <= 0.01 * MIB,
    "said_allocated_more": abs(said_allocated - live - unused) <= 0.01 * MIB,
    "fits_without_the_graph": fits,
}
