"""
TF32 rounds the largest to infinity
===================================

TF32 has the exponent of FP32: does it hold each FP32 number? Not the very largest ones. They are
rounded up to ten bits of mantissa, and the next such number is out of range.
"""

# sphinx_gallery_quiet = "nothing"
import torch

# %%
# The largest number with ten bits of mantissa is in range. From half a step above it, rounding
# goes up, to two to the power of 128.

SIZE, TOP, CHANNELS = 1024, 2.0**127, 256
VALUES = {
    "the largest of FP32": torch.finfo(torch.float32).max,
    "the lowest of FP32": torch.finfo(torch.float32).min,
    "three quarters of a step above": (2 - 2**-10 + 0.75 * 2**-10) * TOP,
    "a quarter of a step above": (2 - 2**-10 + 0.25 * 2**-10) * TOP,
    "the largest of ten bits": (2 - 2**-10) * TOP,
    "1e38": 1e38,
}

# %%
# A matrix with the value on its diagonal, times one that brings it back to the size of one. A
# one-pixel convolution does the same.

BACK = 2.0**-126


def matmul(value):
    eye = torch.eye(SIZE, device="cuda")
    return ((eye * value) @ (eye * BACK)).diagonal()


def convolution(value):
    eye = torch.eye(CHANNELS, device="cuda")
    images = (eye * value).view(CHANNELS, CHANNELS, 1, 1).repeat(1, 1, 32, 32)
    pixel = (eye * BACK).view(CHANNELS, CHANNELS, 1, 1)
    return torch.conv2d(images, pixel)[:, :, 0, 0].diagonal()


# %%
# What arrives, as one word: right up to the rounding, infinite, or something else.


def outcome(function, value, precision):
    torch.backends.cuda.matmul.fp32_precision = precision
    torch.backends.cudnn.conv.fp32_precision = precision
    got = function(value).double()
    if ((got / (value * BACK) - 1).abs() < 1e-3).all():
        return "right"
    return "infinite" if got.isinf().all() else "other"


rows = []
for name, value in VALUES.items():
    row = {"value": name, "fp32": outcome(matmul, value, "ieee")}
    row["tf32"] = outcome(matmul, value, "tf32")
    row["fp32_conv_right"] = outcome(convolution, value, "ieee") == "right"
    row["tf32_conv_right"] = outcome(convolution, value, "tf32") == "right"
    rows.append(row)
    print(row)

measured = {"by_value": {"table": rows}}
