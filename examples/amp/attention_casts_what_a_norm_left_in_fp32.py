"""
Attention casts what a norm left in FP32
========================================

Which attention kernel runs if a norm left queries and keys in FP32? Under autocast the one for the
low type, since all three are cast. Outside of it, mixed types raise an error.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as attention

gpu = torch.accelerator.current_accelerator(check_available=True)
device = gpu or torch.device("cpu")
q, k, v = torch.randn(3, 2, 8, 256, 64, device=device, requires_grad=True)
norm = nn.LayerNorm(64).to(device)
with torch.autocast(device.type, torch.bfloat16):
    result = attention(norm(q), norm(k), v.bfloat16())
print(result.dtype, result.grad_fn.name())

# %%
# The name of the node in the graph says which kernel computed the attention.


def kernel(result):
    name = result.grad_fn.name().removeprefix("ScaledDotProduct")
    return name.removesuffix("Backward0")


low = [tensor.bfloat16() for tensor in (q, k, v)]
with torch.autocast(device.type, torch.bfloat16):
    of_low = attention(*low)
    of_mixed = attention(q, k, low[2])
    of_full = attention(q, k, v)
print(*map(kernel, (of_low, of_mixed, of_full)))

# %%
# Where autocast is off, as in a custom kernel or a block in FP32, nothing is cast.

refusal = "none"
try:
    attention(q, k, low[2])
except RuntimeError as error:
    refusal = error
fitting = attention(q.to(low[2].dtype), k.to(low[2].dtype), low[2])
print(refusal)

# %%
# An assignment casts nothing in a block either: here, the norm's result to rows of a BF16 tensor.

rows = torch.zeros(8, 64, device=device, dtype=torch.bfloat16)
chosen = torch.arange(4, device=device)
assignment = "none"
with torch.no_grad(), torch.autocast(device.type, torch.bfloat16):
    try:
        rows[chosen] = norm(q[0, 0, :4]).float()  # FP32 on a GPU anyway
    except RuntimeError as error:
        assignment = error
    rows[chosen] = norm(q[0, 0, :4]).to(rows.dtype)
print(assignment)

# %%
# Do a mixture and tensors of the low type give the same bits?

measured = {
    "low_kernel": kernel(of_low),
    "mixed_kernel": kernel(of_mixed),
    "full_kernel": kernel(of_full),
    "mixed_is_bf16": of_mixed.dtype is torch.bfloat16,
    "mixed_same_bits": torch.equal(of_mixed, of_low),
    "outside": refusal,
    "assignment": assignment,
    "assigned": rows[chosen].any().item(),
    "fitting_kernel": kernel(fitting),
}
