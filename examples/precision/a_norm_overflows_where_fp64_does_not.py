"""
A norm overflows where FP64 does not
====================================

Why is a norm infinite when every number is finite? It squares the numbers first, and a square
may be too large for FP32 although the norm is not. Compute in FP64, or divide by the largest
number first. Some functions do that themselves.
"""

# %%
# Wrong, and two right ways.

# sphinx_gallery_quiet = "nothing"
import torch

a = torch.tensor([1e20, 1e20], device="cuda")

print("as usual:", a.norm().item())
print("in FP64:", torch.linalg.vector_norm(a, dtype=torch.float64).float().item())
largest = a.abs().max()
print("scaled:", ((a / largest).norm() * largest).item())

# %%
# More functions of large FP32 numbers: on the GPU, on the CPU, and in FP64. The reference is
# computed in FP64 on the CPU; FP32 must be able to hold it, or two infinities would agree.

from torch.nn import functional

FUNCTIONS = {
    "norm": lambda x: x.norm(),
    "norm, scaled": lambda x: (x / x.abs().max()).norm() * x.abs().max(),
    "linalg.vector_norm": lambda x: torch.linalg.vector_norm(x),
    "normalize": lambda x: functional.normalize(x, dim=0),
    "std": lambda x: x.std(),
    "cosine_similarity": lambda x: functional.cosine_similarity(x, x, dim=0),
    "layer_norm": lambda x: functional.layer_norm(x, x.shape),
    "dot, divided later": lambda x: (x @ x) / 1e20,
    "logsumexp": lambda x: x.logsumexp(0),
    "softmax": lambda x: x.softmax(0),
    "hypot": lambda x: torch.hypot(x[0], x[1]),
    "abs of complex": lambda x: torch.complex(x[0], x[1]).abs(),
    "norm of order 1": lambda x: x.norm(1),
}
large = torch.tensor([1e20, -2e20, 3e20, 0.0])


def right(result, truth):
    """Whether the result is finite, and within rounding of the one in FP64."""
    result = result.cpu().double()
    return bool(result.isfinite().all()) and torch.allclose(result, truth, 1e-4, 0)


table, held = [], 0
for name, function in FUNCTIONS.items():
    truth = function(large.double())
    held += truth.float().isfinite().all().item()
    row = {"function": name, "on_gpu": right(function(large.cuda()), truth)}
    row["on_cpu"] = right(function(large), truth)
    row["in_fp64"] = right(function(large.cuda().double()), truth)
    table.append(row)
    print(row)
norm, right_norm = (x.norm().item() for x in (large.cuda(), large.double()))
print(f"norm: {norm}, and right: {right_norm}")

# %%
# In FP16, the squares stay far below the largest number of FP32, in which the norm adds up. Their
# sum is asked for in FP32 as well, which can hold it; but each square is in FP16 first.

in_fp16 = torch.full((1024,), 1000.0, device="cuda", dtype=torch.half)
norm_in_fp16 = in_fp16.norm().item()
squares, right_squares = (
    x.square().sum(dtype=torch.float32).item() for x in (in_fp16, in_fp16.float())
)
mean_in_fp16 = torch.full((1024,), 60000.0, device="cuda").half().mean().item()
print(f"norm: {norm_in_fp16}, mean: {mean_in_fp16}")
print(f"sum of squares: {squares}, and right: {right_squares}")

# %%
# Clipping divides by the norm. If that is infinite, all gradients become zero.


def clip(dtype):
    weight = torch.nn.Parameter(torch.zeros(4, device="cuda", dtype=dtype))
    weight.grad = large.to("cuda", dtype)
    norm = torch.nn.utils.clip_grad_norm_([weight], 1.0)
    print(f"norm {norm.item():.3g}, clipped {weight.grad.tolist()}")
    zeros = (weight.grad == 0).sum().item()
    return norm.isinf().item(), zeros, weight.grad.double().norm().item()


infinite, zeros, _ = clip(torch.float32)
_, zeros_in_fp64, clipped_in_fp64 = clip(torch.float64)

# %%
# The right values, and the counts.

measured = {
    "functions": {"table": table},
    "tried": len(table),
    "right_fits_in_fp32": held,
    "norm": str(norm),
    "right_norm": right_norm,
    "right_on_gpu": sum(row["on_gpu"] for row in table),
    "right_on_cpu": sum(row["on_cpu"] for row in table),
    "right_in_fp64": sum(row["in_fp64"] for row in table),
    "fp16_norm": norm_in_fp16,
    "fp16_squares": str(squares),
    "right_squares": right_squares,
    "fp16_mean": mean_in_fp16,
    "clipped_norm_infinite": infinite,
    "clipped_zeros": zeros,
    "clipped_zeros_in_fp64": zeros_in_fp64,
    "clipped_norm_in_fp64": clipped_in_fp64,
    "gradients": large.numel(),
}
