"""
Compiled products follow the setting
====================================

Does compiled code follow a precision that is set later? For matmuls, yes: ``torch.compile``
compiles again when their precision changes. "medium" is TF32 there, too, in cuBLAS's kernels
and in Triton's; as a Triton kernel, a small product may stay in FP32.
"""

# sphinx_gallery_evidence = {"timeout": 240, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
import warnings

import torch
import torch._inductor.config
from torch.backends import cudnn

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before
torch._inductor.config.max_autotune_gemm_backends = "TRITON"  # for max-autotune alone

SIZE, SMALL = 512, 64
numbers = 1 + 0.5 ** torch.arange(1, 24, device="cuda")  # one bit each, of FP32's 23
identity = torch.eye(SIZE, device="cuda")
diagonal = torch.ones(SIZE, device="cuda")
diagonal[:23] = numbers
matrix = diagonal.diag()

# %%
# A product with the identity shows how many bits of mantissa it kept. Here it is eager,
# compiled in the default mode, and compiled to a Triton kernel, also one of few rows.


def product(x, y):
    return x @ y


FORMS = {
    "eager": product,
    "compiled": torch.compile(product),
    "compiled to Triton": torch.compile(product, mode="max-autotune-no-cudagraphs"),
    "small in Triton": torch.compile(
        lambda x, y: x @ y, mode="max-autotune-no-cudagraphs"
    ),
}


def bits_kept(form):
    size = SMALL if "small" in form else SIZE
    inputs = [whole[:size, :size].contiguous() for whole in (matrix, identity)]
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        returned = FORMS[form](*inputs).diag()[:23]
    return (returned == numbers).sum().item()


# %%
# The compiled functions stay the same while the precision changes.

LEVELS = ("highest", "high", "medium", "highest")
rows = []
for level in LEVELS[:3]:
    torch.set_float32_matmul_precision(level)
    rows.append({"precision": level} | {form: bits_kept(form) for form in FORMS})
    print(rows[-1])
torch.set_float32_matmul_precision("highest")
back = {form: bits_kept(form) for form in FORMS}
print(f"back to the highest: {back}")

# %%
# How often is a product compiled, with a convolution behind it? A backend that counts shows it.

compilations = []


def count(graph, _):
    compilations.append(graph)
    return graph.forward


counted = torch.compile(
    lambda x: torch.conv1d((x @ x)[None], x[..., None]), backend=count
)


def compilations_after(change):
    change()
    with warnings.catch_warnings(action="ignore"):
        counted(matrix)
    return len(compilations)


def convolutions_in_full_fp32():
    cudnn.conv.fp32_precision = "ieee"


after = {"first": compilations_after(lambda: None)}
for level in ("high", "medium", "highest"):
    after[level] = compilations_after(
        lambda level=level: torch.set_float32_matmul_precision(level)
    )
after["convolutions"] = compilations_after(convolutions_in_full_fp32)
cudnn.conv.fp32_precision = "tf32"
print(after)

# %%
# Column names are words.

words = [{name.replace(" ", "_"): row[name] for name in row} for row in rows]
measured = {
    "size": SIZE,
    "small": SMALL,
    "by_precision": {"table": words},
    "compiled_back_at_highest": back["compiled"],
    "triton_back_at_highest": back["compiled to Triton"],
    "compilations_at_first": after["first"],
    "compilations_after_high": after["high"],
    "compilations_after_medium": after["medium"],
    "compilations_after_highest": after["highest"],
    "compilations_after_convolutions": after["convolutions"],
}
