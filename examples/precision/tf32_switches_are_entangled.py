"""
TF32 switches are entangled
===========================

How is TF32 switched on and off? Each kind of operator has a switch of its own, and
those do what they say. The wider switches do not: that of cuDNN turns matrix products
to TF32, and neither it nor the widest turns TF32 off in convolutions.
"""

import torch
from torch.backends import cuda, cudnn

# %%
# Nothing is set yet. What a product and a convolution give now, in FP64 and by default,
# is compared with what they give later.

torch.manual_seed(0)
matrix = torch.randn(1024, 1024, device="cuda")
image = torch.randn(8, 64, 32, 32, device="cuda")
kernel = torch.randn(64, 64, 3, 3, device="cuda")


def compute(a, b, c):
    return a @ a, torch.conv2d(b, c)


truth = compute(matrix.double(), image.double(), kernel.double())

# %%
# TF32 shows by its error. In FP32 the largest is below a thousandth in both, in TF32 it
# is above a hundredth.

rows = []


def errors():
    results = compute(matrix, image, kernel)
    return [(r - t).abs().max().item() for r, t in zip(results, truth)]


def observe(setting):
    product, convolution = [error > 0.003 for error in errors()]
    row = {"setting": setting, "matmul": product, "convolution": convolution}
    settings = {"conv_setting": cudnn.conv, "rnn_setting": cudnn.rnn}
    rows.append(row | {name: kind.fp32_precision for name, kind in settings.items()})
    print(rows[-1])


observe("default")
_, default_error = errors()

# %%
# The wider switches come first, each from the defaults: the widest, and that of cuDNN.
# What has a setting of its own takes over none.

torch.backends.fp32_precision = "ieee"
observe("generic ieee")
torch.backends.fp32_precision = "none"

cudnn.fp32_precision = "ieee"
observe("cudnn ieee")
cudnn.fp32_precision = "none"

# %%
# Matrix products have no setting of their own by default, and take over either.

cudnn.fp32_precision = "tf32"
matmul_after_cudnn = cuda.matmul.fp32_precision
observe("cudnn tf32")
cudnn.fp32_precision = "none"

torch.backends.fp32_precision = "tf32"
observe("generic tf32")
torch.backends.fp32_precision = "none"

# %%
# The switch of one kind of operator reaches that kind alone.

cuda.matmul.fp32_precision = "tf32"
observe("matmul tf32")
cuda.matmul.fp32_precision = "none"

cudnn.conv.fp32_precision = "ieee"
observe("conv ieee")
_, full_error = errors()
cudnn.conv.fp32_precision = "tf32"
print(f"largest error: {default_error:.2g} by default, {full_error:.2g} in full FP32")

# %%
# cuDNN's flags for a block of code reset what they are not told: cuDNN is off inside,
# and the precision of convolutions is as before.

with cudnn.flags(fp32_precision="ieee"):
    enabled_in_flags, conv_in_flags = cudnn.enabled, cudnn.conv.fp32_precision
    observe("flags ieee")

# %%
# Two arguments give convolutions full FP32 for the block, in cuDNN.

with cudnn.flags(enabled=True, allow_tf32=False):
    enabled_in_full_flags = cudnn.enabled
    observe("flags full")
observe("after flags")

# %%
# A row tells which of the two ran in TF32, the ratio what the default costs.

measured = {
    "in_tf32": {"table": rows},
    "matmul_after_cudnn": matmul_after_cudnn,
    "enabled_in_flags": enabled_in_flags,
    "conv_in_flags": conv_in_flags,
    "enabled_in_full_flags": enabled_in_full_flags,
    "default_convolution_error_ratio": default_error / full_error,
}
