"""
TF32 sums are cut off
=====================

How exact are the sums in a TF32 matmul? They keep the bits of FP32, but anything beyond
is truncated, not rounded: sums of positive numbers come out too low.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# Use numbers that already have only ten bits of mantissa: TF32 has nothing to round in
# them, so only the sums can err.

SIZE = 1024


def product(a, b, precision):
    torch.backends.cuda.matmul.fp32_precision = precision
    return a @ b


def short(x):
    identity = torch.eye(x.shape[1], device="cuda")
    return product(x, identity, "tf32")


# %%
# With numbers of both signs, the largest error in TF32 as a multiple of that in FP32.


def error_ratio(a, b):
    truth = a.double() @ b.double()
    errors = [product(a, b, p) - truth for p in ("tf32", "ieee")]
    in_tf32, in_fp32 = (error.abs().max().item() for error in errors)
    return in_tf32 / in_fp32


torch.manual_seed(0)
a, b = torch.randn(2, SIZE, SIZE, device="cuda")
wide_error_ratio, short_error_ratio = error_ratio(a, b), error_ratio(short(a), short(b))
print(f"{wide_error_ratio:.0f} with all bits, {short_error_ratio:.1f} with ten bits")

# %%
# With positive numbers, the share of sums that come out too low, and how far they fall
# short on average, for each number of terms.


def shortfalls(a, b, precision):
    truth = a.double() @ b.double()
    return (truth - product(a, b, precision)) / truth


def row(terms):
    a, b = (short(torch.rand(SIZE, terms, device="cuda")) for _ in range(2))
    found = {"terms": terms}
    for name, precision in {"fp32": "ieee", "tf32": "tf32"}.items():
        shortfall = shortfalls(a, b.T.contiguous(), precision)
        found[f"{name}_low_share"] = (shortfall > 0).double().mean().item()
        found[f"{name}_shortfall_share"] = shortfall.mean().abs().item()
    print(found)
    return found


rows = [row(terms) for terms in (256, 1024, 4096)]

# %%
# Errors are multiples of the FP32 error with the same inputs; shortfalls are shares of a sum.

measured = {
    "wide_error_ratio": wide_error_ratio,
    "short_error_ratio": short_error_ratio,
    "by_terms": {"table": rows},
}
