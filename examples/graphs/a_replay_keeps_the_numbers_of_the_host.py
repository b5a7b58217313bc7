"""
A replay keeps the numbers of the host
======================================

Which values may change between replays? Those on the GPU. Numbers, branches and tensors without
dimensions that live on the host are part of the recording, and keep the value of the capture.
"""

# sphinx_gallery_quiet = "nothing"
import random

import torch

x, scale = torch.ones(1000, device="cuda"), torch.tensor(1.0, device="cuda")
factor = 1.0
x * scale * factor  # the warm-up
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = x * scale * factor

scale.fill_(8.0)
graph.replay()
print(f"after a change of the tensor: {y[0].item()}")
factor = 8.0
graph.replay()
print(f"after a change of the number: {y[0].item()}")

# %%
# Each way uses a value that is set before each replay, on the host or on the GPU. In one of them,
# the graph copies it to the GPU.

TRIES = 10
state = {"number": 1.0, "negative": False}
on_gpu = torch.tensor(1.0, device="cuda")
on_host, pinned = torch.tensor(1.0), torch.tensor(1.0).pin_memory()
flag = torch.tensor(False, device="cuda")


def by_branch():
    return -x if state["negative"] else x * 1.0


WAYS = {
    "a number": lambda: x * state["number"],
    "a tensor on the host": lambda: x * on_host,
    "a pinned tensor": lambda: x * pinned,
    "a copy of a pinned tensor": lambda: x * pinned.to("cuda", non_blocking=True),
    "a tensor on the GPU": lambda: x * on_gpu,
    "random.random()": lambda: x * random.random(),
    "a branch": by_branch,
    "torch.where": lambda: torch.where(flag, -x, x),
}


def set_all(value):
    state.update(number=value, negative=value < 0)
    for tensor in (on_gpu, on_host, pinned):
        tensor.fill_(value)
    flag.fill_(value < 0)
    torch.cuda.synchronize()


def captured(way):
    set_all(1.0)
    WAYS[way]()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = WAYS[way]()
    return graph, y


# %%
# A branch has two outcomes, so that the values alternate between one and minus one.

rows = []
for way in WAYS:
    graph, y = captured(way)
    graph.replay()
    first, followed, kept = y[0].item(), 0, 0
    for _ in range(TRIES):
        set_all(-1.0)
        graph.replay()
        followed += y[0].item() == -1.0
        kept += y[0].item() == first
    rows.append({"way": way, "followed": followed, "kept": kept})
print(*rows, sep="\n")

# %%
# A graph for each branch: the host chooses the one that it replays.

graphs = {}
for negative in (False, True):
    state["negative"] = negative
    graphs[negative] = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graphs[negative]):
        y = by_branch()
    graphs[negative] = graphs[negative], y
chosen = 0
for number in range(TRIES):
    negative = number % 2 == 0
    graph, y = graphs[negative]
    y.zero_()
    graph.replay()
    chosen += y[0].item() == (-1.0 if negative else 1.0)
print(f"right with a graph for each branch: {chosen} of {TRIES}")

measured = {"tries": TRIES, "by_way": {"table": rows}, "chosen": chosen}
