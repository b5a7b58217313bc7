"""
A capture empties the pinned cache
==================================

Does a capture cost anything outside of the graph? It first gives back all cached memory that no
tensor uses, pinned memory of the host included. So the first tensors after it take new memory.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": [".*AccumulateGrad", "Attempting"]}
# sphinx_gallery_quiet = "nothing"
import torch

MIB = 2**20


def pin():
    before = torch.cuda.host_memory_stats()["num_host_alloc"]
    torch.empty(64 * MIB, dtype=torch.uint8, pin_memory=True)  # and drops it
    return torch.cuda.host_memory_stats()["num_host_alloc"] - before


x = torch.ones(1000, device="cuda") * 2  # loads the kernel
print(f"blocks of pinned memory that are new: {pin()}, and once more {pin()}")
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = x * 2
print(f"after a capture: {pin()}")

# %%
# What leaves the caches alone, and what empties them? A capture without the block is a stream and
# two calls.

side = torch.cuda.Stream()


def nothing():
    pass


def replay():
    graph.replay()


def capture():
    with torch.cuda.graph(torch.cuda.CUDAGraph()):
        x * 2


def capture_without_the_block():
    new = torch.cuda.CUDAGraph()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        new.capture_begin()
        x * 2
        new.capture_end()


def empty_cache():
    torch.cuda.empty_cache()


def make_graphed_callables():
    model = torch.nn.Linear(8, 8).cuda()
    sample = torch.ones(8, 8, device="cuda")
    torch.cuda.make_graphed_callables(model, (sample,))


# %%
# Before each, a block is cached on the host, and another on the GPU. A pinned tensor stays in use.

used = torch.full((MIB,), 7, dtype=torch.uint8).pin_memory()


def row(action):
    pin()
    torch.empty(64 * MIB, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    before = torch.cuda.host_memory_stats()["num_host_free"]
    reserved = torch.cuda.memory_reserved()
    action()
    given_back = torch.cuda.host_memory_stats()["num_host_free"] - before
    shrunk = torch.cuda.memory_reserved() < reserved
    again = [pin(), pin()]
    return {
        "action": action.__name__,
        "pinned_given_back": given_back > 0,
        "gpu_given_back": shrunk,
        "pinned_anew": again[0],
        "pinned_again": again[1],
    }


make_graphed_callables()
ACTIONS = (nothing, replay, empty_cache, capture_without_the_block, capture)
rows = [row(action) for action in (*ACTIONS, make_graphed_callables)]
print(*rows, sep="\n")

measured = {
    "size_bytes": 64 * MIB,
    "by_action": {"table": rows},
    "used_is_kept": bool((used == 7).all()),
}
