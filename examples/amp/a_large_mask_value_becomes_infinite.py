"""
A large mask value becomes infinite
===================================

Does a mask of large negative numbers work under autocast? It is cast with the query: the smallest
FP32 number becomes minus infinity in 16 bits, and a query that may see no key gets zeros. Even
without a cast, a fused kernel may overflow. A boolean mask has no number that could, but it gives
such a query zeros as well: let it see all keys.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
queries, keys, values = torch.randn(3, 2, 4, 16, 64, device=device)
visible = torch.zeros(2, 1, 16, 16, dtype=torch.bool, device=device)
visible[1, ..., :8] = True  # the first sequence is padding from end to end

mask = visible | ~visible.any(-1, keepdim=True)  # without a key: see them all
with torch.autocast(device.type, dtype=torch.bfloat16):
    result = torch.nn.functional.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask
    )
print(result.dtype, result.isfinite().all().item())

# %%
# The first sequence has no key to see, and the second has eight. The mask is made in six ways. The
# backend made of matmuls computes in FP32, also in a 16-bit block; it is tried beside the one that
# runs by default.

from contextlib import nullcontext
from itertools import product

from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 4, 16, 64, device=device)
FILLS = {
    "smallest FP32": torch.finfo(torch.float32).min,
    "smallest of its type": None,
    "-10000": -10000.0,
    "minus infinity": -torch.inf,
}
MASKS = (*FILLS, "boolean", "all or some")
BLOCKS = {"no block": None, "FP16": torch.float16, "BF16": torch.bfloat16}
BACKENDS = {"default": nullcontext, "math": lambda: sdpa_kernel(SDPBackend.MATH)}


def make_mask(kind, dtype):
    if kind in ("boolean", "all or some"):
        return visible if kind == "boolean" else mask
    number = FILLS[kind] or torch.finfo(dtype).min
    return torch.zeros(2, 1, 16, 16, device=device).masked_fill(~visible, number)


# %%
# The result of a query without keys has NaN, or is all zeros, or another finite result.


def kind_of(result):
    if result.isnan().any():
        return "NaN"
    return "zeros" if (result == 0).all() else "not zero"


def case(block, backend, kind):
    dtype = BLOCKS[block] or torch.float32
    query = q.clone().requires_grad_()
    in_block = torch.autocast(device.type, dtype=dtype, enabled=block != "no block")
    with in_block, BACKENDS[backend]():
        result = torch.nn.functional.scaled_dot_product_attention(
            query, k, v, attn_mask=make_mask(kind, dtype)
        )
    result.float().sum().backward()
    difference = (result[1].float() - truth).abs().max().item()
    return {
        "case": f"{block}, {backend}, {kind}",
        "without_keys": kind_of(result[0].float()),
        "others_right": difference < 0.05,
        "gradient_finite": query.grad.isfinite().all().item(),
    }


# %%
# The queries that have keys are compared with attention over these keys alone. Counted by mask, in
# how many cases does a query without keys keep a result other than zeros?

truth = torch.nn.functional.scaled_dot_product_attention(
    q[1], k[1, :, :8], v[1, :, :8]
).detach()
rows = [case(*key) for key in product(BLOCKS, BACKENDS, MASKS)]
by_mask = []
for kind in MASKS:
    mine = [row for row in rows if row["case"].endswith(f", {kind}")]
    kept = sum(row["without_keys"] == "not zero" for row in mine)
    by_mask.append({"mask": kind, "cases": len(mine), "kept": kept})
print(*rows, *by_mask, sep="\n")
LOW = torch.float16, torch.bfloat16
smallest = torch.tensor(torch.finfo(torch.float32).min)
measured = {
    "cases": {"table": rows},
    "by_mask": {"table": by_mask},
    "others_right": sum(row["others_right"] for row in rows),
    "gradients_finite": sum(row["gradient_finite"] for row in rows),
    "tried": len(rows),
    "low_types": len(LOW),
    "infinite_in": sum(smallest.to(dtype).item() == -torch.inf for dtype in LOW),
}
