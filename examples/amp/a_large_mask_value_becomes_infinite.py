"""
A large mask value becomes infinite
===================================

Does a mask of large negative numbers still work under autocast? It is cast along with the query:
the smallest FP32 number becomes minus infinity in 16 bits, and a query that may see no key loses
its result. A boolean mask that lets such a query see every key has no such number.
"""

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
# The first sequence has no key to see, and the second has eight. The mask is made in six ways.

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


def make_mask(kind, dtype):
    if kind in ("boolean", "all or some"):
        return visible if kind == "boolean" else mask
    number = FILLS[kind] or torch.finfo(dtype).min
    return torch.zeros(2, 1, 16, 16, device=device).masked_fill(~visible, number)


# %%
# The result of a query without keys is finite, or all zeros, or has NaN.


def kind_of(result):
    if result.isnan().any():
        return "nan"
    return "zeros" if (result == 0).all() else "finite"


def case(block, kind):
    dtype = BLOCKS[block] or torch.float32
    query = q.clone().requires_grad_()
    with torch.autocast(device.type, dtype=dtype, enabled=block != "no block"):
        result = torch.nn.functional.scaled_dot_product_attention(
            query, k, v, attn_mask=make_mask(kind, dtype)
        )
    result.float().sum().backward()
    difference = (result[1].float() - truth).abs().max().item()
    without_keys = kind_of(result[0].float())
    return {
        "case": f"{block}, {kind}",
        "without_keys": without_keys,
        "kept": without_keys == "finite",
        "others_right": difference < 0.05,
        "gradient_finite": query.grad.isfinite().all().item(),
    }


# %%
# The queries that have keys are compared with attention over these keys alone.

truth = torch.nn.functional.scaled_dot_product_attention(
    q[1], k[1, :, :8], v[1, :, :8]
).detach()
rows = [case(block, kind) for block in BLOCKS for kind in MASKS]
for row in rows:
    print(*row.values())
smallest = torch.tensor(torch.finfo(torch.float32).min)
measured = {
    "cases": {"table": rows},
    "others_right": sum(row["others_right"] for row in rows),
    "tried": len(rows),
    "smallest_in_fp16": smallest.half().item() == -torch.inf,
    "smallest_in_bf16": smallest.bfloat16().item() == -torch.inf,
}
