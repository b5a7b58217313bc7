"""
The TF32 demo shows no difference
=================================

PyTorch's notes once showed TF32 like this: multiply, switch TF32 off, multiply again,
compare. What does that show today? Nothing: TF32 was off before. It has to be switched
on first, and then the two products differ.
"""

import torch

# %%
# Two large FP64 matrices and their product, the truth. The flags are left alone.

SIZE = 10240

torch.manual_seed(0)
a_full = torch.randn(SIZE, SIZE, dtype=torch.float64, device="cuda")
b_full = torch.randn(SIZE, SIZE, dtype=torch.float64, device="cuda")
truth = a_full @ b_full
a, b = a_full.float(), b_full.float()


def relative_error(product):
    return ((product - truth).abs().max() / truth.abs().mean()).item()


# %%
# The demo as it was: the first product was meant to run in TF32.

first = a @ b
torch.backends.cuda.matmul.allow_tf32 = False
second = a @ b
print(f"relative errors: {relative_error(first):.2g}, {relative_error(second):.2g}")
print(f"same bits: {torch.equal(first, second)}")

# %%
# The demo repaired: the flag is set for the first product.

torch.backends.cuda.matmul.allow_tf32 = True
repaired = a @ b
torch.backends.cuda.matmul.allow_tf32 = False
second = a @ b
print(f"relative errors: {relative_error(repaired):.2g}, {relative_error(second):.2g}")
print(f"same bits: {torch.equal(repaired, second)}")

# %%
# Shares are of the mean magnitude of an element.

measured = {
    "same_bits": torch.equal(first, second),
    "first_error_share": relative_error(first),
    "second_error_share": relative_error(second),
    "repaired_same_bits": torch.equal(repaired, second),
    "repaired_error_share": relative_error(repaired),
}
