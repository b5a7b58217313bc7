"""
A row depends on its batch
==========================

Why does the same row give other bits in another batch? The library chooses a kernel by the
shape, and kernels add up in different orders. Where a row stood in the largest batch
made no difference, nor did the batch in three operators that treat each row alone. Padding all
batches to one size gave the same bits.
"""

# %%
# The first row of a product, computed with other rows and with fewer of them.

# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)
x, weight = torch.randn(2, 4096, 4096, device="cuda")
full = x @ weight

for rows in (1, 16, 256, 4096):
    first = (x[:rows] @ weight)[0]
    print(rows, torch.equal(first, full[0]), (first - full[0]).abs().max().item())

# %%
# Batches of 1 to 4,096 rows, in five precisions. A second run of each gives the same bits, or
# the comparison would say nothing.

BATCHES = [*range(1, 65), *range(96, 1024, 32), *range(1024, 4097, 512)]
TYPES = {"FP64": torch.float64, "FP32": torch.float32, "TF32": torch.float32}
TYPES |= {"BF16": torch.bfloat16, "FP16": torch.half}


def first_rows(name):
    torch.backends.cuda.matmul.fp32_precision = "tf32" if name == "TF32" else "ieee"
    a, b = x.to(TYPES[name]), weight.to(TYPES[name])
    unsteady = sum(not torch.equal(a[:n] @ b, a[:n] @ b) for n in BATCHES)
    return [(a[:n] @ b)[0] for n in BATCHES], unsteady


def bits(row):
    return row.cpu().view(torch.uint8).numpy().tobytes()


# %%
# How many different results are there for one row, and with how many rows do the bits first
# differ from those of a row alone?


def trial(name):
    results, unsteady = first_rows(name)
    kept = [bits(row) for row in results]
    changed = [n for n, other in zip(BATCHES, kept) if other != kept[0]]
    far = max((row - results[0]).abs().max().item() for row in results)
    return {
        "type": name,
        "distinct": len(set(kept)),
        "first_change": changed[0] if changed else 0,
        "largest_share": far / results[0].abs().mean().item(),
        "unsteady": unsteady,
    }


rows = [trial(name) for name in TYPES]
for row in rows:
    print(row)

# %%
# The first row again: at other places of the batch, and with the batch padded to 4,096 rows.

torch.backends.cuda.matmul.fp32_precision = "ieee"
places = [1, 7, 63, 64, 1000, 4095]
moved = [(x.roll(place, 0) @ weight)[place] for place in places]
elsewhere = sum(not torch.equal(row, full[0]) for row in moved)


def padded(batch):
    space = torch.zeros_like(x)
    space[: len(batch)] = batch
    return (space @ weight)[: len(batch)]


plain = sum(not torch.equal((x[:n] @ weight)[0], full[0]) for n in BATCHES)
changed = sum(not torch.equal(padded(x[:n])[0], full[0]) for n in BATCHES)
print(f"other places: {elsewhere} differ; plain: {plain}, padded: {changed}")

# %%
# Three operators that treat each row alone.

from torch.nn import functional

ALONE = {
    "layer_norm": lambda rows: functional.layer_norm(rows, (4096,)),
    "softmax": lambda rows: rows.softmax(dim=-1),
    "gelu": functional.gelu,
}
alone = 0
for function in ALONE.values():
    whole = function(x)[0]
    alone += sum(not torch.equal(function(x[:n])[0], whole) for n in BATCHES)
print(f"alone: {alone} differ")

# %%
# Counts of batches whose first row has other bits than in the batch of 4,096.

measured = {
    "by_type": {"table": rows},
    "batches": len(BATCHES),
    "plain": plain,
    "padded": changed,
    "places": len(places),
    "elsewhere": elsewhere,
    "alone": alone,
    "alone_batches": len(BATCHES) * len(ALONE),
}
