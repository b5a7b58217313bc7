"""
Math attention computes in FP32
===============================

Which precision does the math backend of attention compute in, for FP16 and BF16? It casts them
to FP32 first. A flag keeps it in 16 bits: that takes less memory, errs more, and in FP16 large
scores overflow.
"""

# %%
# The flag says whether the math backend may compute in 16 bits. It is off by default.

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

torch.manual_seed(0)
q, k, v = torch.randn(3, 2, 8, 2048, 64, device="cuda", dtype=torch.half)

for allowed in (False, True):
    torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(allowed)
    with sdpa_kernel(SDPBackend.MATH):
        print(allowed, scaled_dot_product_attention(q, k, v).dtype)

# %%
# The largest error, relative to attention in FP64, and the memory that a call adds.


def attend(heads, allowed=False):
    torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(allowed)
    with sdpa_kernel(SDPBackend.MATH):
        return scaled_dot_product_attention(*heads)


def trial(heads, truth, allowed):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = attend(heads, allowed)
    peak = torch.cuda.max_memory_allocated() - before
    return (result.double() - truth).abs().max().item(), peak


# %%
# For each type: in FP32, as by default, and in 16 bits.

rows = []
for name, dtype in (("FP16", torch.half), ("BF16", torch.bfloat16)):
    heads = [x.to(dtype) for x in (q, k, v)]
    truth = attend([x.double() for x in heads])
    (error, peak), (low_error, low_peak) = (
        trial(heads, truth, allowed) for allowed in (False, True)
    )
    row = {"type": name, "error_ratio": low_error / error}
    rows.append(row | {"memory_ratio": peak / low_peak})
    print(rows[-1])

# %%
# Large scores: every query and key has the same large elements, so all weights are equal, and
# the result is the mean of the values. Count the elements that are not finite.

large = torch.full_like(q, 128.0)
broken = {}
for allowed in (False, True):
    result = attend((large, large, v), allowed)
    broken[allowed] = (~result.isfinite()).sum().item()
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    result = scaled_dot_product_attention(large, large, v)
in_flash = (~result.isfinite()).sum().item()
print(f"not finite, of {q.numel()}: {broken}, in FlashAttention {in_flash}")

# %%
# Does the switch for TF32 matter to FP16 inputs? With the cast to FP32, it may.

plain = attend((q, k, v))
torch.backends.cuda.matmul.fp32_precision = "tf32"
in_tf32, in_16_bits = attend((q, k, v)), attend((q, k, v), allowed=True)
torch.backends.cuda.matmul.fp32_precision = "ieee"
follows = not torch.equal(plain, in_tf32)
low_follows = not torch.equal(in_16_bits, attend((q, k, v), allowed=True))
print(f"TF32 matters by default: {follows}, in 16 bits: {low_follows}")

# %%
# Errors are those in 16 bits over those in FP32; memory is that in FP32 over that in 16 bits.

measured = {
    "by_type": {"table": rows},
    "elements": q.numel(),
    "broken_by_default": broken[False],
    "broken_in_16_bits": broken[True],
    "broken_in_flash": in_flash,
    "follows_tf32": follows,
    "low_follows_tf32": low_follows,
}
