"""
Odd channels slow 16-bit convolutions
=====================================

Do the channels of a convolution have to be multiples of 8? They may have any number, but with
one fewer the convolution may take longer in 16 bits.
"""

import time
from statistics import median

import matplotlib.pyplot as plt
import torch

# %%
# Convolutions with as many output channels as input channels, just below 256, and one of 256.
# Each has its tensors in the usual order and in channels-last order.

FULL, ROUNDS, IMAGES, PIXELS = 256, 6, 64, 28
CHANNELS = (255, 254, 252, 248, 240, 256)
TYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
FORMATS = {"usual": torch.contiguous_format, "channels_last": torch.channels_last}


def operands(channels, name, order):
    options = {"device": "cuda", "dtype": TYPES[name]}
    x = torch.randn(IMAGES, channels, PIXELS, PIXELS, **options)
    weight = torch.randn(channels, channels, 3, 3, **options)
    gradient = torch.randn_like(x)
    return [t.to(memory_format=FORMATS[order]) for t in (x, weight, gradient)]


arms = [(n, name, order) for n in CHANNELS for name in TYPES for order in FORMATS]
tensors = {arm: operands(*arm) for arm in arms}


def convolve(x, weight, gradient):
    x, weight = x.requires_grad_(), weight.requires_grad_()
    output = torch.nn.functional.conv2d(x, weight, padding=1)
    return torch.autograd.grad(output, (x, weight), gradient)


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
    for name in TYPES:
        for order in FORMATS:
            arm, full = (channels, name, order), (FULL, name, order)
            slowdowns = [times[arm] / times[full] for times in rounds]
            row[f"{name}_{order}_slowdown"] = {"samples": slowdowns}
    for name in ("bf16", "fp16"):
        arm, full = (channels, name, "channels_last"), (channels, "fp32", "usual")
        speedups = [times[full] / times[arm] for times in rounds]
        row[f"{name}_speedup"] = {"samples": speedups}
    table.append(row)
    print({key: f"{median(row[key]['samples']):.2f}" for key in [*row][1:]})

# %%
# Plot the slowdowns.

_, axes = plt.subplots()
for name in TYPES:
    for order in FORMATS:
        medians = [median(r[f"{name}_{order}_slowdown"]["samples"]) for r in table]
        axes.plot(CHANNELS[:-1], medians[:-1], "o-", label=f"{name}, {order}")
axes.set(xlabel="channels", ylabel="time, relative to 256 channels")
axes.legend()
plt.show()

measured = {"by_channels": {"table": table}}
