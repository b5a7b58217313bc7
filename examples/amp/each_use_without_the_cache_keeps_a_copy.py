"""
Each use without the cache keeps a copy
=======================================

What does a loop over time steps cost with ``cache_enabled=False``? Memory: each step makes a copy
of the weight, and backward keeps them all where it needs the weight.
"""

# sphinx_gallery_quiet = "nothing"
import torch

WIDTH, ROWS = 1024, 8
torch.manual_seed(0)
cell = torch.nn.RNNCell(WIDTH, WIDTH, device="cuda")
layer = torch.nn.Linear(WIDTH, WIDTH, bias=False, device="cuda")
copy_bytes = 2 * layer.weight.numel()  # of one weight, in 16 bits
x = torch.randn(ROWS, WIDTH, device="cuda")


def used_bytes(run, uses, **options):
    before = torch.cuda.memory_allocated()
    with torch.autocast("cuda", dtype=torch.bfloat16, **options):
        result = run(uses)
    used = torch.cuda.memory_allocated() - before
    del result
    return used


# %%
# Each function uses its module so many times: each use on the result of the one before, or each on
# the batch, which wants no gradient.


def unrolled(uses):
    hidden = None
    for _ in range(uses):
        hidden = cell(x, hidden)
    return hidden


def in_turn(uses):
    result = x
    for _ in range(uses):
        result = layer(result)
    return result


def on_the_batch(uses):
    return [layer(x) for _ in range(uses)]


# %%
# The memory that ten more uses keep until backward, as copies of one weight for each use.

FEWER, MORE = 10, 20
WAYS = {
    "a cell, step by step": unrolled,
    "a layer, in turn": in_turn,
    "a layer, on the batch": on_the_batch,
}
CACHE = {"cached": True, "uncached": False}
rows = []
for way, run in WAYS.items():
    used_bytes(run, FEWER)  # the first product allocates a workspace, which stays
    row = {"way": way}
    for name, cache in CACHE.items():
        fewer, more = (
            used_bytes(run, uses, cache_enabled=cache) for uses in (FEWER, MORE)
        )
        row[f"{name}_copies"] = (more - fewer) / (MORE - FEWER) / copy_bytes
    rows.append(row)
    print(row)

measured = {"copy_bytes": copy_bytes, "by_way": {"table": rows}}
