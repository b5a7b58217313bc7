"""
A mask may learn alone
======================

Can a bias be trained that is added in attention, while everything else is frozen? Yes, it gets its
gradient. In older versions, a query, key or value has to require a gradient, too: without one, the
memory-efficient kernel keeps nothing for backward, which then raises an error.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
attend = torch.nn.functional.scaled_dot_product_attention
query, key, value = torch.randn(3, 2, 4, 128, 64, device=device)
bias = torch.zeros(4, 128, 128, device=device, requires_grad=True)

with torch.autocast(device.type, dtype=torch.bfloat16):
    result = attend(query.requires_grad_(), key, value, attn_mask=bias)
result.sum().backward()
print(bias.grad.shape)

# %%
# Without a block and in both of them, with a bias for each sequence and with one for all.

from contextlib import nullcontext
from itertools import product

from torch.nn.attention import SDPBackend, sdpa_kernel

torch.manual_seed(0)
q, k, v, direction = torch.randn(4, 2, 4, 128, 64, device=device)
start = torch.randn(2, 4, 128, 128, device=device)
CASES = [
    *product((start, start[0], start[0, 0]), (None, torch.float16, torch.bfloat16))
]


def in_math():
    return sdpa_kernel(SDPBackend.MATH)


def gradient(start, block, dtype=torch.float32, learns=True, backend=nullcontext):
    bias = start.to(dtype, copy=True).requires_grad_()
    query, key, value = (tensor.to(dtype, copy=True) for tensor in (q, k, v))
    query.requires_grad_(learns)
    with backend():
        with torch.autocast(device.type, dtype=block, enabled=block is not None):
            result = attend(query, key, value, attn_mask=bias)
        (result * direction.to(dtype)).sum().backward()
    return bias.grad.double()


# %%
# An error, or how far the gradient is from one in FP64, as a share of its length.


def attempt(start, block, **options):
    exact = gradient(start, None, torch.float64, backend=in_math)
    try:
        found = gradient(start, block, **options)
    except RuntimeError as error:
        return error
    return ((found - exact).norm() / exact.norm()).item()


WAYS = {
    "alone": {"learns": False},
    "with_query": {"learns": True},
    "math": {"learns": False, "backend": in_math},
}
results = {way: [attempt(*case, **WAYS[way]) for case in CASES] for way in WAYS}
print(*results.items(), sep="\n")


measured = {"cases": len(CASES)}
for way, found in results.items():
    shares = [result for result in found if isinstance(result, float)]
    measured[f"{way}_failed"] = len(found) - len(shares)
    measured[f"{way}_error_share"] = max(shares, default=1.0)
print(measured)
