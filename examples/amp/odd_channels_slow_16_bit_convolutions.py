"""
Odd channels slow 16-bit convolutions
=====================================

Do the channels of a convolution have to be multiples of 8? They may have any number, but with
one channel fewer than 256, the convolution takes longer, and with eight fewer as well.
"""

import time
from statistics import median

import torch

# %%
# Convolutions with as many output channels as input channels, just below 256, and one of 256: in
# BF16 in either order of the memory, and in FP32 in the usual order.

FULL, ROUNDS, IMAGES, PIXELS = 256, 6, 64, 28
CHANNELS = (255, 254, 252, 248, 240, 224, 192, 256)
KINDS = {
    "fp32_usual": (torch.float32, torch.contiguous_format),
    "bf16_usual": (torch.bfloat16, torch.contiguous_format),
    "bf16_channels_last": (torch.bfloat16, torch.channels_last),
}


def operands(channels, kind):
    dtype, order = KINDS[kind]
    x = torch.randn(IMAGES, channels, PIXELS, PIXELS, device="cuda", dtype=dtype)
    weight = torch.randn(channels, channels, 3, 3, device="cuda", dtype=dtype)
    return [t.to(memory_format=order) for t in (x, weight, torch.randn_like(x))]


arms = [(channels, kind) for channels in CHANNELS for kind in KINDS]
tensors = {arm: operands(*arm) for arm in arms}


def convolve(x, weight, gradient):
    x, weight = x.requires_grad_(), weight.requires_grad_()
    output = torch.nn.functional.conv2d(x, weight, padding=1)
    torch.autograd.grad(output, (x, weight), gradient)


# %%
# The time on the GPU of a forward and a backward pass, queued behind a kernel that only sleeps.
# In FP32, TF32 is turned off: it is the default for convolutions.

torch.backends.cudnn.conv.fp32_precision = "ieee"


def seconds(arm):
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda._sleep(4_000_000)  # about two milliseconds; a private function
    first.record()
    convolve(*tensors[arm])
    last.record()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1000


# %%
# All take turns, after a first call each and a warm-up for a set time.

for arm in arms:
    seconds(arm)
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for arm in arms:
        seconds(arm)
rounds = [{arm: seconds(arm) for arm in arms} for _ in range(ROUNDS)]

# %%
# How long does a convolution take, relative to the one of 256 channels, and to FP32 with as many
# channels?

table = []
for channels in CHANNELS:
    row = {"channels": channels}
    for kind in KINDS:
        slowdowns = [times[channels, kind] / times[FULL, kind] for times in rounds]
        row[f"{kind}_slowdown"] = {"samples": slowdowns}
    full, low = (channels, "fp32_usual"), (channels, "bf16_channels_last")
    row["bf16_speedup"] = {"samples": [times[full] / times[low] for times in rounds]}
    table.append(row)
    print({key: f"{median(row[key]['samples']):.2f}" for key in [*row][1:]})
measured = {"by_channels": {"table": table}}
