"""
The CPU setting is the generic one
==================================

Does ``torch.backends.mkldnn.fp32_precision`` change FP32 operators on the CPU alone? No: setting
it sets the generic precision, and matmuls on the GPU follow. The settings for each kind of
operator, such as ``mkldnn.matmul``, stay on the CPU.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.backends import cuda, mkldnn

mkldnn.fp32_precision = "tf32"  # for the CPU, by its name
print(f"generic {torch.backends.fp32_precision!r}, GPU {cuda.matmul.fp32_precision!r}")

torch.backends.fp32_precision = "none"
mkldnn.matmul.fp32_precision = "tf32"  # for matmuls on the CPU
print(f"generic {torch.backends.fp32_precision!r}, GPU {cuda.matmul.fp32_precision!r}")
mkldnn.matmul.fp32_precision = "none"

# %%
# The bits of a matmul on the GPU, in TF32, tell how it runs after each.

matrix = torch.randn(1024, 1024, device="cuda")


def product():
    return matrix @ matrix


cuda.matmul.fp32_precision = "tf32"
in_tf32 = product()
cuda.matmul.fp32_precision = "none"

rows = []
for name, setting in (("mkldnn", mkldnn), ("mkldnn.matmul", mkldnn.matmul)):
    setting.fp32_precision = "tf32"
    row = {"set": name, "generic": torch.backends.fp32_precision}
    row["gpu_in_tf32"] = torch.equal(product(), in_tf32)
    rows.append(row)
    setting.fp32_precision = "none"
    print(row)

# %%
# One row for each of the two settings.

measured = {"by_setting": {"table": rows}}
