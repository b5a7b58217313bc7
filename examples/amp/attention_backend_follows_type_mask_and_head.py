"""
Attention backend follows type, mask and head
=============================================

Which kernel computes ``scaled_dot_product_attention`` under autocast? All tensors are cast, and
then the type, the kind of mask and the size of a head decide. If no kernel fits, matmuls are left.
"""

# sphinx_gallery_quiet = "nothing"
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


def watch(call):
    with profile(**CALLS) as profiler:
        result = call()
    names = {e.name for e in profiler.events() if "scaled_dot_product" in e.name}
    ran = [backend for backend in BACKENDS if any(f"_{backend}" in n for n in names)]
    return result, " ".join(ran)


# %%
# Masks of four kinds, besides none. The last one is learned: it requires a gradient.

BLOCKS = {
    "FP32, no block": (torch.float32, None),
    "FP32, FP16 block": (torch.float32, torch.float16),
    "FP32, BF16 block": (torch.float32, torch.bfloat16),
    "FP64, BF16 block": (torch.float64, torch.bfloat16),
}
HEADS, MASKS = (64, 60, 63), ("no mask", "causal", "boolean", "added", "learned")


def make_mask(kind, dtype):
    if kind == "boolean":
        return torch.ones(128, 128, dtype=torch.bool, device=device).tril()
    if kind in ("added", "learned"):
        zeros = torch.zeros(2, 4, 128, 128, dtype=dtype, device=device)
        return zeros.requires_grad_(kind == "learned")
    return None


# %%
# Ask each backend alone, too: one that cannot run raises an error, after warnings that say why.
# The query requires a gradient, as in training.


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
    result, ran = watch(run)
    result.sum().backward()
    row = {"case": f"{name}, {mask_kind}, {head}", "ran": ran, **able}
    row["gradient"] = mask is not None and mask.grad is not None
    return row | {"result": str(result.dtype).removeprefix("torch.")}


rows = [case(*key) for key in itertools.product(BLOCKS, MASKS, HEADS)]

# %%
# Summed up by type, and in 16 bits by mask and head: how many cases does each backend take, and
# how many ran in a fused kernel?


def count(group):
    chosen = [row for row in rows if group in row["case"]]
    if group not in BLOCKS:
        chosen = [row for row in chosen if row["result"] in ("float16", "bfloat16")]
    row = {"group": group, "cases": len(chosen)}
    row["fused"] = sum(row["ran"] != "math" for row in chosen)
    row["gradients"] = sum(row["gradient"] for row in chosen)
    row["types"] = " ".join(sorted({row["result"] for row in chosen}))
    return row | {name: sum(row[name] for row in chosen) for name in BACKENDS}


KINDS = [f"{kind}, {head}" for kind, head in itertools.product(MASKS, HEADS)]
groups = [count(group) for group in (*BLOCKS, *KINDS)]
print(*groups, sep="\n")
measured = {"cases": {"table": rows}, "groups": {"table": groups}}
