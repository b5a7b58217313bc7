"""
Attention of other shapes runs in math
======================================

Do 16 bits and a fitting head suffice for a fused kernel? No: for tensors of five dimensions, for
keys that are broadcast over the batch, and for one layout, matmuls are left, also without a mask.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.profiler import ProfilerActivity, profile

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
attend = torch.nn.functional.scaled_dot_product_attention
heads = torch.randn(2, 4, 128, 64, device=device)  # batch, heads, tokens, head size
CALLS = {"activities": [ProfilerActivity.CPU], "acc_events": True}

for given in (heads, heads.flatten(0, 1)):
    with profile(**CALLS) as profiler, torch.autocast(device.type, torch.bfloat16):
        attend(given, given, given)
    print({e.name for e in profiler.events() if "scaled_dot_product" in e.name})

# %%
# Heads have 64 elements, unless the case says otherwise. Folded tensors have batch and heads in
# one dimension; a batch of one makes four dimensions of them again. The last case has a layout of
# its own: the tokens of an element lie side by side.

import warnings

from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 4, 128, 64, device=device)
fold = [tensor.flatten(0, 1) for tensor in (q, k, v)]
wide = torch.randn(3, 2, 4, 128, 264, device=device)
CASES = {
    "batch, heads, tokens, head": (q, k, v),
    "folded": fold,
    "folded, with a batch of one": [tensor[None] for tensor in fold],
    "five dimensions": [tensor.unflatten(0, (2, 1)) for tensor in (q, k, v)],
    "keys broadcast over the batch": (q, k[:1], v[:1]),
    "keys expanded over the batch": (q, k[:1].expand_as(q), v[:1].expand_as(q)),
    "keys broadcast over heads": (q, k[:, :1], v[:, :1]),
    "keys expanded over heads": (q, k[:, :1].expand_as(q), v[:, :1].expand_as(q)),
    "keys in groups, enable_gqa": (q, k[:, :2], v[:, :2]),
    "one query": (q[:, :, :1], k, v),
    "heads of 264": wide.unbind(),
    "transposed from head, tokens": [x.mT.contiguous().mT for x in (q, k, v)],
}

# %%
# The operator that the profiler sees tells which backend ran, as in training: the query requires
# a gradient.

BACKENDS = "cudnn", "flash", "efficient", "math"


def watch(tensors, mask=None, **options):
    query, key, value = tensors
    query = query.detach().requires_grad_()
    with profile(**CALLS) as profiler, torch.autocast(device.type, torch.bfloat16):
        attend(query, key, value, mask, **options)
    names = {e.name for e in profiler.events() if "scaled_dot_product" in e.name}
    return " ".join(b for b in BACKENDS if any(f"_{b}" in name for name in names))


rows = []
for case, tensors in CASES.items():
    mask = torch.ones(tensors[0].shape[-2], 128, dtype=torch.bool, device=device)
    options = {"enable_gqa": True} if "enable_gqa" in case else {}
    row = {"case": case, "no_mask": watch(tensors, **options)}
    rows.append(row | {"boolean_mask": watch(tensors, mask, **options)})
    print(*rows[-1].values(), sep=" | ")

# %%
# FlashAttention knows a causal mask only for as many queries as keys. (As it is asked alone, it
# raises an error where it does not fit, after warnings that say why.)


def takes_causal(queries):
    flash = sdpa_kernel(SDPBackend.FLASH_ATTENTION)
    with warnings.catch_warnings(action="ignore"), flash:
        try:
            return watch((q[:, :, :queries], k, v), is_causal=True) == "flash"
        except RuntimeError:
            return False


measured = {
    "cases": {"table": rows},
    "causal_for_all_queries": takes_causal(128),
    "causal_for_fewer_queries": takes_causal(64),
}
print(measured["causal_for_all_queries"], measured["causal_for_fewer_queries"])
