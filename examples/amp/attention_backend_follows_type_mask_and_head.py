"""
Attention backend follows type, mask and head
=============================================

Which kernel computes ``scaled_dot_product_attention`` under autocast? It casts query, key, value
and mask, and then the types, the kind of mask and the size of a head decide. The slowest one,
built of matmuls, is left for FP64 and for heads that fit no other.
"""

import torch
from torch.profiler import ProfilerActivity, profile

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
attend = torch.nn.functional.scaled_dot_product_attention
heads = torch.randn(2, 4, 128, 64, device=device)  # batch, heads, tokens, head size

CALLS = {"activities": [ProfilerActivity.CPU], "acc_events": True}
with profile(**CALLS) as profiler, torch.autocast(device.type, dtype=torch.bfloat16):
    print(attend(heads, heads, heads).dtype)
print({e.name for e in profiler.events() if "scaled_dot_product" in e.name})

# %%
# The operator that the profiler sees tells which backend ran.

import itertools
import warnings

from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
}


def which(call):
    with profile(**CALLS) as profiler:
        call()
    names = {event.name for event in profiler.events()}
    ran = [
        b for b in BACKENDS if any(f"_{b}" in n and "scaled_dot" in n for n in names)
    ]
    return " ".join(ran)


# %%
# Masks of four kinds, besides none. The last one is learned: it requires a gradient.

BLOCKS = {
    "FP32, no block": (torch.float32, None),
    "FP32, FP16 block": (torch.float32, torch.float16),
    "FP32, BF16 block": (torch.float32, torch.bfloat16),
    "FP64, BF16 block": (torch.float64, torch.bfloat16),
}
HEADS = (64, 63, 256)
MASKS = ("no mask", "causal", "boolean", "added", "learned")


def make_mask(kind, dtype):
    if kind == "boolean":
        return torch.ones(128, 128, dtype=torch.bool, device=device).tril()
    if kind in ("added", "learned"):
        zeros = torch.zeros(2, 4, 128, 128, dtype=dtype, device=device)
        return zeros.requires_grad_(kind == "learned")
    return None


# %%
# Ask each backend alone, too: one that cannot run raises, with warnings that say why.


def case(name, mask_kind, head):
    given, block = BLOCKS[name]
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 4, 128, head, dtype=given, device=device)
    q.requires_grad_()
    mask = make_mask(mask_kind, given)

    def run():
        with torch.autocast(device.type, dtype=block, enabled=block is not None):
            return attend(q, k, v, attn_mask=mask, is_causal=mask_kind == "causal")

    able = {}
    for backend, kind in BACKENDS.items():
        with warnings.catch_warnings(action="ignore"), sdpa_kernel(kind):
            try:
                able[backend] = run() is not None
            except RuntimeError:
                able[backend] = False
    result = run()
    result.sum().backward()
    row = {"case": f"{name}, {mask_kind}, {head}", "ran": which(run), **able}
    row["gradient"] = mask is not None and mask.grad is not None
    return row | {"result": str(result.dtype).removeprefix("torch.")}


rows = [case(*key) for key in itertools.product(BLOCKS, MASKS, HEADS)]
print(rows[0])

# %%
# Summed up: how many cases of each kind ran in which type, and how many in a fused kernel?

groups = []
for name in BLOCKS:
    mine = [row for row in rows if row["case"].startswith(name)]
    ran = [row["ran"] for row in mine]
    types = sorted({row["result"] for row in mine})
    group = {"tensors": name, "cases": len(mine), "types": " ".join(types)}
    groups.append(group | {"fused": len(mine) - ran.count("math")})
    print(groups[-1])
learned = [row for row in rows if "learned" in row["case"]]
measured = {
    "cases": {"table": rows},
    "groups": {"table": groups},
    "learned": len(learned),
    "learned_with_gradient": sum(row["gradient"] for row in learned),
}
