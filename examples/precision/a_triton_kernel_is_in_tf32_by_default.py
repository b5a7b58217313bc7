"""
A Triton kernel is in TF32 by default
=====================================

Which precision does a Triton kernel of your own use for FP32 numbers? TF32, whatever PyTorch's
settings say, unless ``tl.dot`` is given another ``input_precision``.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 240}
# sphinx_gallery_quiet = "nothing"
import torch
import triton
import triton.language as tl


@triton.jit
def multiply(a, b, c, size: tl.constexpr, precision: tl.constexpr):
    rows, columns = tl.arange(0, size)[:, None], tl.arange(0, size)[None, :]
    at = rows * size + columns
    if precision == "":
        result = tl.dot(tl.load(a + at), tl.load(b + at))
    else:
        result = tl.dot(tl.load(a + at), tl.load(b + at), input_precision=precision)
    tl.store(c + at, result)


# %%
# One program multiplies two small matrices.

SIZE = 64


def product(x, y, precision=""):
    result = torch.empty_like(x)
    multiply[(1,)](x, y, result, size=SIZE, precision=precision)
    return result


torch.manual_seed(0)
a, b = torch.randn(2, SIZE, SIZE, device="cuda")
truth = a.double() @ b.double()
scale = truth.abs().mean()


def error(result):
    return ((result - truth).abs().max() / scale).item()


# %%
# PyTorch's setting is full FP32, and eager matmuls keep to it. The kernel does not, with this
# setting or another.

by_default = {}
for level in ("highest", "high"):
    torch.set_float32_matmul_precision(level)
    by_default[level] = product(a, b)
    eager = error(a @ b)
    print(f"{level}: eager {eager:.1e}, Triton {error(by_default[level]):.1e}")
torch.set_float32_matmul_precision("highest")
in_fp32 = error(a @ b)

# %%
# All precisions of ``tl.dot``: one product in TF32, or several of TF32 or BF16 numbers, or FP32.
# Each is tried on other matrices, too: an error is the largest of all.

PRECISIONS = ("tf32", "tf32x3", "bf16x3", "bf16x6", "ieee")
TRIES = 20


def largest_error(multiply_by):
    errors = []
    for _ in range(TRIES):
        x, y = torch.randn(2, SIZE, SIZE, device="cuda")
        exact = x.double() @ y.double()
        change = (multiply_by(x, y) - exact).abs().max()
        errors.append((change / exact.abs().mean()).item())
    return max(errors)


rows = []
for precision in PRECISIONS:
    torch.manual_seed(0)
    found = largest_error(lambda x, y, to=precision: product(x, y, to))
    rows.append({"input_precision": precision, "max_error_share": found})
    print(rows[-1])
torch.manual_seed(0)
torch_error = largest_error(torch.matmul)

# %%
# By default, the kernel gives the bits of TF32.

tf32 = product(a, b, "tf32")
measured = {
    "default_is_tf32": torch.equal(by_default["highest"], tf32),
    "default_after_high_is_tf32": torch.equal(by_default["high"], tf32),
    "by_precision": {"table": rows},
    "torch_error_share": torch_error,
    "tf32_error_ratio": rows[0]["max_error_share"] / rows[-1]["max_error_share"],
    "tf32x3_error_ratio": rows[1]["max_error_share"] / rows[-1]["max_error_share"],
    "bf16x3_error_ratio": rows[2]["max_error_share"] / rows[-1]["max_error_share"],
}
