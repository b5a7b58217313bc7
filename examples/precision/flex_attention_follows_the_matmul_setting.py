"""
FlexAttention follows the matmul setting
========================================

Does FlexAttention run in TF32 by default? Not in this version: its error is that of full FP32.
It follows the precision of matmuls, which the newer and the older switch set.
"""

# sphinx_gallery_evidence = {"fresh": True, "timeout": 300, "expected_warnings": [".*deprecated"]}
# sphinx_gallery_quiet = "nothing"
import os
import tempfile
import warnings

import torch
from torch.nn.attention.flex_attention import flex_attention

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()  # nothing compiled before

# %%
# Attention in FP64, written out, is the truth.

HEADS, LENGTH, WIDTH = 4, 256, 64
torch.manual_seed(0)
query, key, value = torch.randn(3, 1, HEADS, LENGTH, WIDTH, device="cuda")


def exact(query, key, value):
    q, k, v = query.double(), key.double(), value.double()
    return ((q @ k.mT) / WIDTH**0.5).softmax(-1) @ v


truth = exact(query, key, value)
compiled = torch.compile(flex_attention)


def error(function):
    with warnings.catch_warnings(action="ignore"):  # the compiler's own
        change = (function(query, key, value) - truth).abs().max()
    return (change / truth.abs().mean()).item()


# %%
# The default, and each way to set the precision, one after the other. Each change compiles
# it again.

from torch.backends import cuda

rows = []


def observe(setting):
    row = {"setting": setting, "max_error_share": error(compiled)}
    row["in_tf32"] = (
        row["max_error_share"] > 30 * rows[0]["max_error_share"] if rows else False
    )
    rows.append(row)
    print(row)


observe("default")
torch.set_float32_matmul_precision("high")
observe("high")
torch.set_float32_matmul_precision("medium")
observe("medium")
torch.set_float32_matmul_precision("highest")
observe("highest")
cuda.matmul.fp32_precision = "tf32"
observe("matmul tf32")
cuda.matmul.fp32_precision = "none"

# %%
# The fused kernel of ``scaled_dot_product_attention``, for comparison.

fused = error(torch.nn.functional.scaled_dot_product_attention)
print(f"fused kernel: {fused:.1e}")

# %%
# Errors are shares of the mean magnitude.

measured = {
    "by_setting": {"table": rows},
    "default_error_share": rows[0]["max_error_share"],
    "tf32_error_ratio": rows[1]["max_error_share"] / rows[0]["max_error_share"],
    "fused_error_ratio": fused / rows[0]["max_error_share"],
}
