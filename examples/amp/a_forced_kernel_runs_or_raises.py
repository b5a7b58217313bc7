"""
A forced kernel runs or raises
==============================

How do you force FlashAttention, and what does it say where it cannot run? Allowed alone, a kernel
runs or raises an error: it never gives way to another. A list of two has a second choice.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attention

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
query, key, value = torch.randn(3, 2, 8, 256, 64, device=device).bfloat16()

with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    forced = attention(query, key, value)
default = attention(query, key, value)

exact = attention(query.double(), key.double(), value.double())
shares = [((x - exact).norm() / exact.norm()).item() for x in (forced, default)]
print(f"{forced.dtype}: off by {shares[0]:.2%}, and {shares[1]:.2%} by default")

# %%
# The operator that the profiler sees tells which backend ran. An error has its type in its place.

import warnings
from functools import partial

from torch.profiler import ProfilerActivity, profile

CALLS = {"activities": [ProfilerActivity.CPU], "acc_events": True}
BACKENDS = "cudnn", "flash", "efficient", "math"


def outcome(call):
    try:
        with profile(**CALLS) as profiler:
            call()
    except RuntimeError as error:
        return type(error).__name__
    names = {e.name for e in profiler.events() if "scaled_dot_product" in e.name}
    return " ".join(b for b in BACKENDS if any(f"_{b}" in name for name in names))


# %%
# Each case allows some kernels. The mask lets a query see the keys up to its own. The last cases
# have heads that are no multiple of eight.

FLASH, EFFICIENT = SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION
BOTH = [FLASH, EFFICIENT]
mask = torch.ones(256, 256, dtype=torch.bool, device=device).tril()
low = query, key, value
full = [tensor.float() for tensor in low]
odd = [tensor[..., :63].contiguous() for tensor in low]
CASES = {
    "flash": (FLASH, low, None),
    "flash, mask": (FLASH, low, mask),
    "flash, FP32": (FLASH, full, None),
    "efficient, mask": (EFFICIENT, low, mask),
    "flash or efficient": (BOTH, low, None),
    "efficient or flash": (BOTH[::-1], low, None),
    "flash or efficient, mask": (BOTH, low, mask),
    "flash or efficient, FP32": (BOTH, full, None),
    "flash or efficient, heads of 63": (BOTH, odd, None),
    "flash or efficient, heads of 63, mask": (BOTH, odd, mask),
}


def attend(backends, heads, attn_mask):
    with sdpa_kernel(backends):
        return attention(*heads, attn_mask)


rows = []
with warnings.catch_warnings(action="ignore"):
    for case, given in CASES.items():
        call = partial(attend, *given)
        rows.append({"case": case, "first": outcome(call), "again": outcome(call)})
        print(*rows[-1].values(), sep=" | ")

# %%
# What does a refused call say? Warnings give the reasons. By default, Python shows a warning of one
# line once, so that a second try has the error alone.


def refuse(case):
    errors, counts = [], []
    with warnings.catch_warnings(record=True, action="default") as reasons:
        for _ in range(2):
            try:
                attend(*CASES[case])
            except RuntimeError as error:
                errors.append(error)
            counts.append(len(reasons))
    text = " ".join(str(reason.message) for reason in reasons)
    print(*errors, text, sep="\n")
    return errors, counts, text


errors, counts, of_mask = refuse("flash, mask")
of_type = refuse("flash, FP32")[2]

# %%
# The shares say how far the results are from attention in FP64.

measured = {
    "cases": {"table": rows},
    "refusal": errors[0] if errors else "none",
    "same_again": len(errors) == 2 and str(errors[0]) == str(errors[1]),
    "reasons_first": counts[0],
    "reasons_again": counts[1] - counts[0],
    "says_mask": "attn_mask" in of_mask,
    "says_type": "dtype" in of_type,
    "forced_error_share": shares[0],
    "default_error_share": shares[1],
}
