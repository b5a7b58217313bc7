"""
A compiled call keeps its kernel
================================

How do you force an attention kernel in a compiled function? Put the block within the function. The
choice is made when it compiles: a block around a call that was compiled before changes nothing.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention as attention

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
query, key, value = torch.randn(3, 2, 8, 256, 64, device=device).bfloat16()


@torch.compile
def attend(query, key, value):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return attention(query, key, value)


print(attend(query, key, value).dtype)

# %%
# The operator that the profiler sees tells which backend ran, once a call has compiled. An error
# has its type in its place.

import warnings

from torch.profiler import ProfilerActivity, profile

CALLS = {"activities": [ProfilerActivity.CPU], "acc_events": True}
BACKENDS = "cudnn", "flash", "efficient", "math"


def outcome(call):
    try:
        call()
        with profile(**CALLS) as profiler:
            call()
    except RuntimeError as error:
        return type(error).__name__
    names = {e.name for e in profiler.events() if "scaled_dot_product" in e.name}
    return " ".join(b for b in BACKENDS if any(f"_{b}" in name for name in names))


# %%
# The block is within the function that is compiled. Each case allows one kernel or two.

FLASH, EFFICIENT = SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION
mask = torch.ones(256, 256, dtype=torch.bool, device=device).tril()
low = query, key, value
full = [tensor.float() for tensor in low]
CASES = {
    "flash": (FLASH, low, None),
    "flash, mask": (FLASH, low, mask),
    "flash, FP32": (FLASH, full, None),
    "efficient, mask": (EFFICIENT, low, mask),
    "flash or efficient": ([FLASH, EFFICIENT], low, None),
    "flash or efficient, mask": ([FLASH, EFFICIENT], low, mask),
}


def make(backends, heads, attn_mask):
    def attend():
        with sdpa_kernel(backends):
            return attention(*heads, attn_mask)

    return torch.compile(attend)


rows = []
with warnings.catch_warnings(action="ignore"):  # why a kernel cannot run
    for case, given in CASES.items():
        torch.compiler.reset()
        call = make(*given)
        rows.append({"case": case, "first": outcome(call), "again": outcome(call)})
        print(*rows[-1].values(), sep=" | ")

# %%
# Does the error still say that there is no kernel?

refusal = ""
with warnings.catch_warnings(action="ignore"):
    try:
        make(*CASES["flash, mask"])()
    except RuntimeError as error:
        refusal = str(error)
print(refusal)

# %%
# Now the block is around the call. The function was compiled without it before. A new compilation
# within the block may find that kernel in the cache on disk. The last call is after the block.

torch.compiler.reset()
plain = torch.compile(lambda: attention(query, key, value))
where = [{"where": "compiled without a block", "kernel": outcome(plain)}]
with sdpa_kernel(EFFICIENT):
    where.append({"where": "then called in a block", "kernel": outcome(plain)})
    torch.compiler.reset()
    where.append({"where": "compiled in a block", "kernel": outcome(plain)})
where.append({"where": "then called without one", "kernel": outcome(plain)})
print(*where, sep="\n")

measured = {
    "cases": {"table": rows},
    "around": {"table": where},
    "says_so": "No available kernel" in refusal,
}
