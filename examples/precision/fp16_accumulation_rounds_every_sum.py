"""
FP16 accumulation rounds every sum
==================================

What does ``allow_fp16_accumulation`` cost? With it, products of FP16 matrices add up in FP16:
long sums err more, and a sum that is too large on the way becomes infinite. The flag also
reaches batched products and linear layers, but neither BF16 nor convolutions.
"""

# %%
# The largest error of positive sums, without the flag and with it.

# sphinx_gallery_quiet = "nothing"
import torch

torch.manual_seed(0)
a, b = torch.rand(2, 4096, 4096, device="cuda").half()
truth = a.double() @ b.double()

for allowed in (False, True):
    torch.backends.cuda.matmul.allow_fp16_accumulation = allowed
    error = ((a @ b).double() - truth).abs() / truth
    print(f"{allowed}: {error.max().item():.2%}")

# %%
# The error by the number of terms: a very long sum may be split into shorter ones. Results
# beyond FP16 are avoided: the mean of a factor falls with the number of terms.


def errors(terms):
    torch.manual_seed(0)
    a, b = (
        torch.rand(1024, terms, device="cuda"),
        torch.rand(terms, 1024, device="cuda"),
    )
    a, b = a.half(), (b * 1024 / terms).half()
    truth = a.double() @ b.double()
    row = {"terms": terms}
    for name, allowed in (("in_fp32_share", False), ("in_fp16_share", True)):
        torch.backends.cuda.matmul.allow_fp16_accumulation = allowed
        error = ((a @ b).double() - truth).abs() / truth
        row[name] = error.max().item()
    print(row)
    return row


by_terms = [errors(terms) for terms in (256, 1024, 4096, 16384)]

# %%
# Half of the terms are 256, the other half -256: the whole sum is zero, but on the way it
# grows far beyond the largest number of FP16.

tall = torch.full((256, 4096), 16.0, device="cuda", dtype=torch.half)
wide = torch.full((4096, 256), 16.0, device="cuda", dtype=torch.half)
wide[2048:] = -16
finite = {}
for allowed in (False, True):
    torch.backends.cuda.matmul.allow_fp16_accumulation = allowed
    finite[allowed] = (tall @ wide).isfinite().sum().item()
print(f"finite results, without the flag and with it: {finite}")

# %%
# What follows the flag? A call does if its bits change.

from torch.nn import functional

image, window = torch.rand(8, 64, 64, 64, device="cuda"), torch.rand(64, 64, 3, 3)
image, window = image.half(), window.to("cuda", torch.half)
CALLS = {
    "matmul": lambda: a @ b,
    "batched matmul": lambda: a.view(4, 1024, 4096) @ b.expand(4, -1, -1),
    "linear": lambda: functional.linear(a, b),
    "linear with a bias": lambda: functional.linear(a, b, b[0]),
    "convolution": lambda: functional.conv2d(image, window),
    "matmul in BF16": lambda: a.bfloat16() @ b.bfloat16(),
}
changed = []
for call, function in CALLS.items():
    results = []
    for allowed in (False, True):
        torch.backends.cuda.matmul.allow_fp16_accumulation = allowed
        results.append(function())
    changed.append({"call": call, "changes": not torch.equal(*results)})
    print(changed[-1])

# %%
# A matmul can return its sums in FP32, but not together with this flag.


def with_fp32_sums(allowed):
    torch.backends.cuda.matmul.allow_fp16_accumulation = allowed
    try:
        return torch.mm(a, b, out_dtype=torch.float32).dtype
    except RuntimeError as error:
        return error


without, failure = with_fp32_sums(False), with_fp32_sums(True)
torch.backends.cuda.matmul.allow_fp16_accumulation = False
print(without, failure)

# %%
# Errors are shares of the sum.

measured = {
    "by_terms": {"table": by_terms},
    "elements": tall.shape[0] * wide.shape[1],
    "finite_in_fp32": finite[False],
    "finite_in_fp16": finite[True],
    "calls": {"table": changed},
    "fp32_sums_without": str(without),
    "fp32_sums_with": failure,
}
