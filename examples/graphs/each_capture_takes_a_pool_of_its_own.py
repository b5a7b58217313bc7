"""
Each capture takes a pool of its own
====================================

Why does every capture need more memory? Each graph keeps all that it needs while it runs, for as
long as it exists. Graphs that share a pool need it once, and only their results are added.
"""

# sphinx_gallery_evidence = {"fresh": True}
# sphinx_gallery_quiet = "nothing"
import torch

x = torch.ones(2**23, device="cuda")  # 32 MiB
(x * 2 + 1).sum()  # loads the kernels
pool = torch.cuda.graph_pool_handle()
graphs, results = [], []
for _ in range(4):
    graphs.append(torch.cuda.CUDAGraph())
    with torch.cuda.graph(graphs[-1], pool=pool):
        results.append(x * 2 + 1)
    print(f"{len(graphs)} graphs: {torch.cuda.memory_reserved() >> 20} MiB")

# %%
# One graph stays: random numbers have a place for their state as long as any graph exists, and
# that place is not what is to be counted.

graphs.clear()
results.clear()
anchor = torch.cuda.CUDAGraph()
with torch.cuda.graph(anchor):
    x.add_(1)


def reserved():
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return torch.cuda.memory_reserved()


# %%
# How much more is reserved after a number of captures? The graphs have a pool each, or one pool
# together; then their results are kept, or each is copied to a tensor that all graphs write to.

COUNTS = (1, 2, 4, 8, 16)
output = torch.empty_like(x)


def capture(pool, copied):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        result = x * 2 + 1
        if copied:
            output.copy_(result)
    return graph, None if copied else result


def grown(count, shared, copied=False):
    before = reserved()
    pool = torch.cuda.graph_pool_handle() if shared else None
    kept = [capture(pool, copied) for _ in range(count)]
    more = reserved() - before
    right = 0
    for graph, result in kept:
        output.zero_()
        graph.replay()
        right += torch.equal(x * 2 + 1, output if copied else result)
    kept.clear()
    del graph, result
    return more, right == count, reserved() - before


# %%
# Afterwards, graphs and results are deleted: does everything come back?

rows, right, left = [], [], []
for count in COUNTS:
    row = {"graphs": count}
    for name, options in {
        "apart": (False,),
        "shared": (True,),
        "copied": (True, True),
    }.items():
        more, all_right, still = grown(count, *options)
        row[f"{name}_bytes"] = more
        right.append(all_right)
        left.append(still)
    rows.append(row)
print(*rows, sep="\n")

measured = {
    "size_bytes": x.nbytes,
    "by_graphs": {"table": rows},
    "right": sum(right),
    "captured": len(right),
    "left_bytes": max(left),
}
