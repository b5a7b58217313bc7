"""
A fused epilogue keeps the whole sum
====================================

Does a compiled matmul keep FP32 for the operator that follows it? By default it does not: a library
computes the product and rounds it. With max-autotune, a kernel of the compiler's own may go on with
the sums in FP32. One option makes it round them.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
import os
import tempfile
import warnings

import torch

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before

# %%
# Sums of whole numbers are exact in FP32, in any order, and too large for the digits of 16 bits.
# What is left after a subtraction of the rounded product shows what it was subtracted from: the
# rounded product leaves nothing, and the sums in FP32 leave what rounding changed. (cuBLAS may not
# round parts of a sum here.)

SIZE, LARGEST = 1024, 16
torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
torch.manual_seed(0)
numbers = torch.randint(-LARGEST, LARGEST + 1, (2, SIZE, SIZE), device="cuda")
exact = numbers[0].double() @ numbers[1].double()


def remainder(x, w, rounded):
    return x @ w - rounded


# %%
# The compiler can only choose Triton in the second form, and fuses what follows in any case. The
# third has the option that ``TORCHINDUCTOR_EMULATE_PRECISION_CASTS`` sets, for one function.

TRITON = {
    "max_autotune": True,
    "max_autotune_gemm_backends": "TRITON",
    "benchmark_epilogue_fusion": False,
}
FORMS = {
    "eager": None,
    "compiled": {},
    "max-autotune in Triton": TRITON,
    "the same, with rounding": TRITON | {"emulate_precision_casts": True},
}


def left_by(form, x, w):
    rounded = exact.to(x.dtype)
    if form is None:
        return remainder(x, w, rounded)
    torch.compiler.reset()
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        return torch.compile(remainder, options=form)(x, w, rounded)


rows = []
for dtype in (torch.bfloat16, torch.float16):
    inputs = numbers[0].to(dtype), numbers[1].to(dtype)
    lost = exact - exact.to(dtype).double()
    for name, form in FORMS.items():
        left = left_by(form, *inputs)
        row = {"form": name, "dtype": str(dtype).removeprefix("torch.")}
        row["left_share"] = (left != 0).double().mean().item()
        row["as_lost"] = torch.equal(left, lost.to(dtype))
        rows.append(row)
        print(row)

# %%
# Rounding changes so many of the exact sums.

measured = {"size": SIZE, "by_form": {"table": rows}}
for dtype in (torch.bfloat16, torch.float16):
    name = f"{dtype}_rounded_share".removeprefix("torch.")
    measured[name] = (exact != exact.to(dtype).double()).double().mean().item()
print(measured["bfloat16_rounded_share"], measured["float16_rounded_share"])
