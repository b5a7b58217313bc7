"""
Attention follows TF32 in one backend
=====================================

Does TF32 affect attention in FP32? That depends on the backend: the math backend, which
is built from matmuls, follows the matmul switch; the memory-efficient one does not. Which
of the two PyTorch chooses depends on the head size.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["Attempting to run cuBLAS"]}
# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

# %%
# Compute attention and its gradient, in full FP32 or in TF32, with the given backends.
# PyTorch chooses one of them unless only one is given.

MATH, EFFICIENT = SDPBackend.MATH, SDPBackend.EFFICIENT_ATTENTION
EITHER = [MATH, EFFICIENT]


def attend(backends, head, precision):
    torch.backends.cuda.matmul.fp32_precision = precision
    torch.manual_seed(0)
    heads = torch.randn(2, 8, 256, head, device="cuda", requires_grad=True)
    with sdpa_kernel(backends):
        result = functional.scaled_dot_product_attention(heads, heads, heads)
    (gradient,) = torch.autograd.grad(result, heads, torch.randn_like(result))
    return result.detach(), gradient


# %%
# A changed result counts as affected. In full FP32, running again gives the same bits.

TRIALS = [
    ("math", MATH, 64),
    ("efficient", EFFICIENT, 64),
    ("chosen", EITHER, 64),
    ("chosen, odd head", EITHER, 63),
]
rows, unsteady = [], 0
for trial, backends, head in TRIALS:
    full, again = attend(backends, head, "ieee"), attend(backends, head, "ieee")
    in_tf32 = attend(backends, head, "tf32")
    unsteady += not all(map(torch.equal, full, again))
    forward, backward = [not torch.equal(a, b) for a, b in zip(full, in_tf32)]
    rows.append({"trial": trial, "forward": forward, "backward": backward})
    print(f"{trial:>16}: forward {forward}, backward {backward}")

# %%
# The head size is given; everything else is measured.

measured = {"reached": {"table": rows}, "unsteady": unsteady}
