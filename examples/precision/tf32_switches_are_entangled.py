"""
TF32 switches are entangled
===========================

How do you turn TF32 on and off? Each kind of operator has a switch of its own, and those
do what they say. The wider switches reach further: the cuDNN switch turns on TF32 for
matmuls, too. In PyTorch 2.11, neither it nor the widest turned off TF32 for convolutions.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.backends import cuda, cudnn

# %%
# Nothing is set yet. Later results of a matmul and a convolution are compared with what
# they give now, in FP64 and by default.

torch.manual_seed(0)
matrix = torch.randn(1024, 1024, device="cuda")
image = torch.randn(8, 64, 32, 32, device="cuda")
kernel = torch.randn(64, 64, 3, 3, device="cuda")


def compute(a, b, c):
    return a @ a, torch.conv2d(b, c)


truth = compute(matrix.double(), image.double(), kernel.double())

# %%
# The error reveals TF32. In FP32, the largest error of both is below a thousandth; in TF32,
# it is above a hundredth.

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
# Start with the wider switches, each set from the defaults: the widest, then cuDNN's.
# Operators that were given a setting of their own do not inherit one.

torch.backends.fp32_precision = "ieee"
observe("generic ieee")
torch.backends.fp32_precision = "none"

cudnn.fp32_precision = "ieee"
observe("cudnn ieee")
cudnn.fp32_precision = "none"

# %%
# By default, matmuls have no setting of their own, and inherit either.

cudnn.fp32_precision = "tf32"
matmul_after_cudnn = cuda.matmul.fp32_precision
observe("cudnn tf32")
cudnn.fp32_precision = "none"

torch.backends.fp32_precision = "tf32"
observe("generic tf32")
torch.backends.fp32_precision = "none"

# %%
# The switch of one kind of operator affects only that kind.

cuda.matmul.fp32_precision = "tf32"
observe("matmul tf32")
cuda.matmul.fp32_precision = "none"

cudnn.conv.fp32_precision = "ieee"
observe("conv ieee")
_, full_error = errors()
cudnn.conv.fp32_precision = "tf32"
print(f"largest error: {default_error:.2g} by default, {full_error:.2g} in full FP32")

# %%
# For a block of code, ``cudnn.flags`` resets what it is not given: inside the block, cuDNN
# is off, and the precision of convolutions is unchanged.

with cudnn.flags(fp32_precision="ieee"):
    enabled_in_flags, conv_in_flags = cudnn.enabled, cudnn.conv.fp32_precision
    observe("flags ieee")

# %%
# With two arguments, convolutions in the block run in full FP32, in cuDNN.

with cudnn.flags(enabled=True, allow_tf32=False):
    enabled_in_full_flags = cudnn.enabled
    observe("flags full")
observe("after flags")

# %%
# Each row shows which of the two ran in TF32; the ratio shows what the default costs.

measured = {
    "in_tf32": {"table": rows},
    "matmul_after_cudnn": matmul_after_cudnn,
    "enabled_in_flags": enabled_in_flags,
    "conv_in_flags": conv_in_flags,
    "enabled_in_full_flags": enabled_in_full_flags,
    "default_convolution_error_ratio": default_error / full_error,
}
