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
# Full FP32 is three settings, one for each kind of operator. What a product and a
# convolution give now is compared with what they give later.

torch.manual_seed(0)
matrix = torch.randn(1024, 1024, device="cuda")
image = torch.randn(8, 64, 32, 32, device="cuda")
kernel = torch.randn(64, 64, 3, 3, device="cuda")

cuda.matmul.fp32_precision = "ieee"
cudnn.conv.fp32_precision = "ieee"
cudnn.rnn.fp32_precision = "ieee"
full_product, full_convolution = matrix @ matrix, torch.conv2d(image, kernel)

# %%
# Which of the two runs in TF32? The one whose bits are no longer those of full FP32.

rows = []


def observe(setting):
    product, convolution = matrix @ matrix, torch.conv2d(image, kernel)
    row = {
        "setting": setting,
        "matmul": not torch.equal(product, full_product),
        "convolution": not torch.equal(convolution, full_convolution),
    }
    rows.append(row)
    print(row)


observe("full FP32")

# %%
# Each experiment starts from the defaults: nothing is set, but for cuDNN's operators.


def start_over():
    torch.backends.fp32_precision = "none"
    cuda.matmul.fp32_precision = "none"
    cudnn.fp32_precision = "none"
    cudnn.conv.fp32_precision = "tf32"
    cudnn.rnn.fp32_precision = "tf32"


start_over()
observe("default")

# %%
# What does TF32, on by default, cost a convolution? The FP64 result is the truth.

truth = torch.conv2d(image.double(), kernel.double())
default_error = (torch.conv2d(image, kernel) - truth).abs().max().item()
full_error = (full_convolution - truth).abs().max().item()
print(f"largest error: {default_error:.2g} by default, {full_error:.2g} in full FP32")

# %%
# The switch of one kind of operator reaches that kind alone.

cuda.matmul.fp32_precision = "tf32"
observe("matmul tf32")

start_over()
cudnn.conv.fp32_precision = "ieee"
observe("conv ieee")

# %%
# The switch of cuDNN stands for everything on the GPU. Matrix products have no setting
# of their own by default, and take over that one.

start_over()
cudnn.fp32_precision = "tf32"
matmul_after_cudnn = cuda.matmul.fp32_precision
observe("cudnn tf32")

# %%
# What has a setting of its own takes over none. Convolutions have one by default, so
# that the wider switches do not turn off their TF32.

start_over()
cudnn.fp32_precision = "ieee"
observe("cudnn ieee")

start_over()
torch.backends.fp32_precision = "ieee"
observe("generic ieee")

# %%
# A row tells which of the two ran in TF32, the ratio what the default costs.

measured = {
    "in_tf32": {"table": rows},
    "matmul_after_cudnn": matmul_after_cudnn,
    "default_convolution_error_ratio": default_error / full_error,
}
