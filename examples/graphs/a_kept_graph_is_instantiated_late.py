"""
A kept graph is instantiated late
=================================

What does ``keep_graph=True`` change? The captured graph stays, so that other code can look at it or
change it. But the first replay takes longer, unless ``instantiate()`` is called before.
"""

import torch

x = torch.zeros(1000, device="cuda")
x.add_(1)  # loads the kernel
graph = torch.cuda.CUDAGraph(keep_graph=True)
with torch.cuda.graph(graph):
    x.add_(1)
print(graph.raw_cuda_graph() > 0)  # a handle for other libraries
graph.instantiate()
graph.replay()
print(x[0].item())

# %%
# A long graph is captured in three ways. How long does each step take, until the GPU is done?

import time
from statistics import median

KERNELS, ROUNDS = 2000, 8


def seconds(call):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    call()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


def work():
    for _ in range(KERNELS):
        x.add_(1)


def times(is_kept, is_instantiated):
    graph = torch.cuda.CUDAGraph(keep_graph=is_kept)
    with torch.cuda.graph(graph):
        work()
    found = {"instantiate": seconds(graph.instantiate) if is_instantiated else 0.0}
    x.zero_()
    found |= {name: seconds(graph.replay) for name in ("first", "second", "third")}
    assert (x == 3 * KERNELS).all()
    return found


WAYS = {"usual": (False, False), "kept": (True, False), "instantiated": (True, True)}
found = {way: [] for way in WAYS}
for turn in range(ROUNDS + 2):
    for way, options in WAYS.items():
        taken = times(*options)
        found[way] += [taken] if turn > 1 else []  # the first turns warm up

# %%
# How many times as long as a later replay does the first one take? And to instantiate the graph?


def samples(way, name):
    return {"samples": [row[name] / row["third"] for row in found[way]]}


rows = [{"way": way, "first_slowdown": samples(way, "first")} for way in WAYS]
instantiating = samples("instantiated", "instantiate")
for row in rows:
    print(row["way"], f"{median(row['first_slowdown']['samples']):.1f}")

# %%
# Without ``keep_graph``, the handle is not to be had.

usual, says = torch.cuda.CUDAGraph(), "nothing"
with torch.cuda.graph(usual):
    x.add_(1)
try:
    usual.raw_cuda_graph()
except RuntimeError as error:
    says = str(error).splitlines()[0].split(". ")[0]
print(says)

measured = {
    "kernels": KERNELS,
    "by_way": {"table": rows},
    "instantiate_slowdown": instantiating,
    "usual_says": says,
}
