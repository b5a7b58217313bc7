"""
The TF32 demo shows no difference
=================================

PyTorch's notes once demonstrated TF32 like this: multiply, turn TF32 off, multiply again,
compare. What does that show today? Nothing: TF32 was already off. Turn it on first, and
the two results differ.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# Two large FP64 matrices; their product is the ground truth. The flags are left alone.

SIZE = 10240

torch.manual_seed(0)
a_full = torch.randn(SIZE, SIZE, dtype=torch.float64, device="cuda")
b_full = torch.randn(SIZE, SIZE, dtype=torch.float64, device="cuda")
truth = a_full @ b_full
a, b = a_full.float(), b_full.float()


def relative_error(product):
    return ((product - truth).abs().max() / truth.abs().mean()).item()


# %%
# The original demo: the first matmul was meant to run in TF32.

first = a @ b
torch.backends.cuda.matmul.allow_tf32 = False
second = a @ b
print(f"relative errors: {relative_error(first):.2g}, {relative_error(second):.2g}")
print(f"same bits: {torch.equal(first, second)}")

# %%
# The repaired demo: the flag is on for the first matmul.

torch.backends.cuda.matmul.allow_tf32 = True
repaired = a @ b
torch.backends.cuda.matmul.allow_tf32 = False
second = a @ b
print(f"relative errors: {relative_error(repaired):.2g}, {relative_error(second):.2g}")
print(f"same bits: {torch.equal(repaired, second)}")

# %%
# Shares are relative to the mean magnitude of the elements.

measured = {
    "same_bits": torch.equal(first, second),
    "first_error_share": relative_error(first),
    "second_error_share": relative_error(second),
    "repaired_same_bits": torch.equal(repaired, second),
    "repaired_error_share": relative_error(repaired),
}
