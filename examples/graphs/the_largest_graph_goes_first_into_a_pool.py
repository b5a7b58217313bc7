"""
The largest graph goes first into a pool
========================================

In which order are graphs of several sizes captured into one pool? The largest first: what it has
freed serves all smaller ones. In the other order, each graph finds blocks that are too small.
"""

# sphinx_gallery_evidence = {"fresh": True}
# sphinx_gallery_quiet = "nothing"
import torch

x, output = torch.ones(2, 2**25, device="cuda")  # 128 MiB each
SIZES = [n * 2**22 for n in range(1, 9)]  # from 16 to 128 MiB
x * 2 + 1  # loads the kernels


def captured(sizes, pool):
    graphs = [torch.cuda.CUDAGraph() for _ in sizes]
    for graph, size in zip(graphs, sizes):
        with torch.cuda.graph(graph, pool=pool):
            output[:size].copy_(x[:size] * 2 + 1)
    return graphs


for order in (SIZES, SIZES[::-1]):
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    graphs = captured(order, torch.cuda.graph_pool_handle())
    print(f"{torch.cuda.memory_reserved() - before >> 20} MiB")

# %%
# One graph stays: random numbers have a place for their state as long as any graph exists, and
# that place is not what is to be counted.

graphs.clear()
anchor = torch.cuda.CUDAGraph()
with torch.cuda.graph(anchor):
    x.mul_(1)


def reserved():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return torch.cuda.memory_reserved()


# %%
# The graphs have a pool each or one for all. They copy their results out, or keep them. They are
# captured in the usual stream of captures, in one other stream, or each in a stream of its own.


def capture(size, pool, stream, kept):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool, stream=stream):
        result = x[:size] * 2 + 1
        if not kept:
            output[:size].copy_(result)
    return graph, result if kept else None


side = torch.cuda.Stream()
STREAMS = {"usual": lambda: None, "one": lambda: side, "each": torch.cuda.Stream}


def row(order, pools="one", kept=False, streams="usual"):
    sizes = SIZES[::-1] if order == "descending" else SIZES
    before, pool = reserved(), torch.cuda.graph_pool_handle()
    made = {}
    for size in sizes:
        own = pool if pools == "one" else None
        made[size] = capture(size, own, STREAMS[streams](), kept)
    more, right = reserved() - before, 0
    for turn, size in enumerate((*SIZES, *SIZES[::-1])):
        x.fill_(turn)
        graph, result = made[size]
        graph.replay()
        found = output[:size] if result is None else result
        right += int(found.eq(2 * turn + 1).all())
    case = f"{order}, {pools} pool, {'kept' if kept else 'copied'}, {streams} stream"
    return {"case": case, "reserved_bytes": more, "right": right}


rows = [row(order) for order in ("ascending", "descending")]
rows += [row(order, pools="each") for order in ("ascending", "descending")]
rows += [row(order, kept=True) for order in ("ascending", "descending")]
rows += [row("descending", streams=streams) for streams in ("one", "each")]
print(*rows, sep="\n")

# %%
# Does the order matter if segments can grow? The allocator reads that setting when it starts.

import os
import subprocess
import sys

PROGRAM = """
import torch
x, output = torch.ones(2, 2**25, device="cuda")
x * 2 + 1
torch.cuda.empty_cache()
before, pool = torch.cuda.memory_reserved(), torch.cuda.graph_pool_handle()
graphs = []
for n in range(1, 9):
    graphs.append(torch.cuda.CUDAGraph())
    with torch.cuda.graph(graphs[-1], pool=pool):
        output[:n * 2**22].copy_(x[:n * 2**22] * 2 + 1)
print(torch.cuda.memory_reserved() - before)
"""
environment = os.environ | {"PYTORCH_ALLOC_CONF": "expandable_segments:True"}
environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)
command = [sys.executable, "-c", PROGRAM]
growing = subprocess.check_output(command, env=environment, text=True)
print(f"ascending, in segments that grow: {int(growing) >> 20} MiB")

measured = {
    "largest_bytes": x.nbytes,
    "replays": 2 * len(SIZES),
    "by_case": {"table": rows},
    "growing_bytes": int(growing),
}
