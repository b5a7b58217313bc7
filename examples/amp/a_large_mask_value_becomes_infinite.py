"""
A large mask value becomes infinite
===================================

Does a mask of large negative numbers still work under autocast? It is cast along with the query:
the smallest FP32 number becomes minus infinity in 16 bits. A query that may see no key then
loses its result. The smallest number of the 16-bit type does what the FP32 number did in FP32.
"""

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
queries, keys, values = torch.randn(3, 1, 4, 16, 64, device=device)
hidden = torch.arange(16, device=device) >= 8  # keys 8 to 15 are padding

with torch.autocast(device.type, dtype=torch.bfloat16):
    lowest = torch.finfo(torch.get_autocast_dtype(device.type)).min
    mask = torch.zeros(16, 16, device=device).masked_fill(hidden, lowest)
    result = torch.nn.functional.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask
    )
print(result.dtype, result.isfinite().all().item())

# %%
# Batch 0 is padding from end to end: all of its keys are masked. Batch 1 has keys to see. What
# does attention give for a query without keys?

torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 4, 16, 64, device=device)
padding = torch.ones(2, 1, 1, 16, dtype=torch.bool, device=device)
padding[1, ..., :8] = False
FILLS = {
    "smallest FP32": torch.finfo(torch.float32).min,
    "smallest of its type": None,
    "-10000": -10000.0,
    "minus infinity": -torch.inf,
    "boolean": None,
}
BLOCKS = {"no block": None, "FP16": torch.float16, "BF16": torch.bfloat16}


def make_mask(fill, dtype):
    if fill == "boolean":
        return ~padding.expand(2, 1, 16, 16)
    number = FILLS[fill] or torch.finfo(dtype).min
    return torch.zeros(2, 1, 16, 16, device=device).masked_fill(padding, number)


# %%
# A query without keys attends to its masked keys, gets zeros, or gets NaN.


def kind_of(result):
    if result.isnan().any():
        return "nan"
    return "zeros" if (result == 0).all() else "finite"


def case(block, fill):
    dtype = BLOCKS[block] or torch.float32
    query = q.clone().requires_grad_()
    with torch.autocast(device.type, dtype=dtype, enabled=block != "no block"):
        mask = make_mask(fill, dtype)
        result = torch.nn.functional.scaled_dot_product_attention(
            query, k, v, attn_mask=mask
        )
    result.float().sum().backward()
    difference = (result[1].float() - truth).abs().max().item()
    return {
        "case": f"{block}, {fill}",
        "without_keys": kind_of(result[0].float()),
        "others_right": difference < 0.05,
        "gradient_finite": query.grad.isfinite().all().item(),
    }


# %%
# The queries that have keys are compared with attention over these keys alone.

truth = torch.nn.functional.scaled_dot_product_attention(
    q[1], k[1, :, :8], v[1, :, :8]
).detach()
rows = [case(block, fill) for block in BLOCKS for fill in FILLS]
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
