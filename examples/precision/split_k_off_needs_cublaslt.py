"""
Split-k off needs cuBLASLt
==========================

How do you stop a matmul from splitting its sums at all? The flag for reduced precision takes
a pair, whose second value allows the split. With the library that PyTorch uses by default,
forbidding it makes matmuls raise an error; with cuBLASLt, they run.
"""

# sphinx_gallery_evidence = {"fresh": True, "expected_warnings": ["preferred_blas", "Attempting"]}
# sphinx_gallery_quiet = "nothing"

# %%
# Choose cuBLASLt, then forbid both the rounding of partial sums and the split.

import torch

torch.backends.cuda.preferred_blas_library("cublaslt")
matmul = torch.backends.cuda.matmul
matmul.allow_fp16_reduced_precision_reduction = (False, False)
matmul.allow_bf16_reduced_precision_reduction = (False, False)

torch.manual_seed(0)
a, b = torch.randn(2, 1024, 1024, device="cuda", dtype=torch.bfloat16)
print((a @ b).shape)

# %%
# Which calls run, with either library and either type?

from torch.nn import functional


def gradient(a, b):
    a = a.detach().requires_grad_()
    y = functional.linear(a, b, b[0])
    return torch.autograd.grad(y, a, torch.ones_like(y))


CALLS = {
    "matmul": lambda a, b: a @ b,
    "linear": lambda a, b: functional.linear(a, b),
    "linear with a bias": lambda a, b: functional.linear(a, b, b[0]),
    "linear with a strided bias": lambda a, b: functional.linear(a, b, b[:, 0]),
    "backward of a linear with a bias": lambda a, b: gradient(a, b),
    "batched matmul": lambda a, b: a.expand(2, -1, -1) @ b.expand(2, -1, -1),
}


def attempt(call, dtype):
    try:
        CALLS[call](a.to(dtype), b.to(dtype))
    except RuntimeError as error:
        return error
    return None


# %%
# By default, PyTorch calls cuBLAS on an NVIDIA GPU.

rows, failures = [], {}
for library in ("cublaslt", "default"):
    torch.backends.cuda.preferred_blas_library(library)
    for call in CALLS:
        row = {"case": f"{call}, {library}"}
        for name, dtype in (("fp16", torch.half), ("bf16", torch.bfloat16)):
            failures[call, library, name] = attempt(call, dtype)
            row[f"{name}_runs"] = failures[call, library, name] is None
        rows.append(row)
        print(row)

# %%
# A single value allows the split; the pair can be read through two names.


def reads(value):
    matmul.allow_fp16_reduced_precision_reduction = value
    return [
        matmul.allow_fp16_reduced_precision_reduction,
        matmul.allow_fp16_reduced_precision_reduction_split_k,
    ]


forms = {"one value": reads(False), "a pair": reads((False, False))}
try:
    reads((True, False))
except RuntimeError as error:
    unsupported = error
settings = [
    {"form": form, "reduced": reduced, "split": split}
    for form, (reduced, split) in forms.items()
]
print(settings, unsupported)

# %%
# Errors are recorded as they are: that for BF16 names a flag, too.

measured = {
    "calls": {"table": rows},
    "fp16_failure": failures["matmul", "default", "fp16"],
    "bf16_failure": failures["matmul", "default", "bf16"],
    "settings": {"table": settings},
    "unsupported": unsupported,
}
