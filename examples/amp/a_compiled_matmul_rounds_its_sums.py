"""
A compiled matmul rounds its sums
=================================

Does a compiled matmul keep FP32 for the operator that follows it? It does not, by default and with
max-autotune in Triton: its sums are rounded to 16 bits first, as in eager mode.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
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


def left_by(options, x, w):
    rounded = exact.to(x.dtype)
    if options is None:
        return remainder(x, w, rounded)
    torch.compiler.reset()
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        return torch.compile(remainder, options=options)(x, w, rounded)


TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}
rows = []
for form, options in FORMS.items():
    row = {"form": form}
    for name, dtype in TYPES.items():
        left = left_by(options, *(one.to(dtype) for one in numbers))
        lost = (exact - exact.to(dtype).double()).to(dtype)
        row[f"{name}_left_share"] = (left != 0).double().mean().item()
        row[f"{name}_all_left"] = torch.equal(left, lost)
    rows.append(row)
    print(row)

# %%
# Rounding changes so many of the exact sums.

measured = {"size": SIZE, "by_form": {"table": rows}}
for name, dtype in TYPES.items():
    changed = exact != exact.to(dtype).double()
    measured[f"{name}_rounded_share"] = changed.double().mean().item()
    print(f"{name}: rounding changes {changed.double().mean():.0%}")
