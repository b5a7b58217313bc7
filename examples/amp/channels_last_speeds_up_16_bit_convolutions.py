"""
Channels last speeds up 16-bit convolutions
===========================================

What does channels-last memory add to mixed precision in a convolutional net? In this order, the
channels of a pixel lie side by side, as tensor cores take them; otherwise cuDNN rearranges the
tensors. Both together gain more than either alone.
"""

import torch
from torch import nn

layers = []
for before, after, stride in ((64, 128, 2), (128, 128, 1), (128, 256, 2)):
    convolution = nn.Conv2d(before, after, 3, stride, padding=1, bias=False)
    layers += [convolution, nn.BatchNorm2d(after), nn.ReLU()]
model = nn.Sequential(*layers).to("cuda", memory_format=torch.channels_last)
batch = torch.randn(1024, 64, 56, 56, device="cuda")
batch = batch.to(memory_format=torch.channels_last)

with torch.autocast("cuda", dtype=torch.bfloat16):
    output = model(batch)
print(output.is_contiguous(memory_format=torch.channels_last))

# %%
# A second model and a second batch stay in the usual order. With one of each, the output tells
# whether the model or the batch decides.

import copy
import time
from statistics import median

FORMATS = {"usual": torch.contiguous_format, "channels_last": torch.channels_last}
models = {"channels_last": model, "usual": copy.deepcopy(model)}
models["usual"].to(memory_format=torch.contiguous_format)
batches = {name: batch.to(memory_format=FORMATS[name]) for name in FORMATS}


def is_last(model_format, batch_format):
    output = models[model_format](batches[batch_format])
    return output.is_contiguous(memory_format=torch.channels_last)


found = {(m, b): is_last(m, b) for m in FORMATS for b in FORMATS}
with_either = [last for case, last in found.items() if "channels_last" in case]

# %%
# A training step in four precisions, in either order. The batch is so large that the GPU takes
# longer for a step than the host takes to launch it.

PRECISIONS = {
    "fp32": ("ieee", None),
    "tf32": ("tf32", None),
    "fp16": ("ieee", torch.float16),
    "bf16": ("ieee", torch.bfloat16),
}
ROUNDS = 5
optimizers, scalers = {}, {}
for name, net in models.items():
    optimizers[name] = torch.optim.SGD(net.parameters(), lr=1e-4)
    for low in PRECISIONS:
        scalers[name, low] = torch.amp.GradScaler("cuda", enabled=low == "fp16")


def train(name, precision):
    torch.backends.cudnn.conv.fp32_precision, low = PRECISIONS[precision]
    optimizer, scaler = optimizers[name], scalers[name, precision]
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=low, enabled=low is not None):
        loss = models[name](batches[name]).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


# %%
# The host clock is read while the GPU is idle. All take turns, after a first step each and a
# warm-up for a set time.


def seconds(name, precision):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    train(name, precision)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


arms = [(name, precision) for precision in PRECISIONS for name in FORMATS]
for arm in arms:
    train(*arm)
warm_until = time.perf_counter() + 0.4
while time.perf_counter() < warm_until:
    for arm in arms:
        train(*arm)
rounds = [{arm: seconds(*arm) for arm in arms} for _ in range(ROUNDS)]

# %%
# What the order gains in each precision, and what precision and order gain together over FP32 in
# the usual order.

table = []
for precision in PRECISIONS:
    usual, last = ("usual", precision), ("channels_last", precision)
    row = {"precision": precision}
    for name, slow, fast in (
        ("order_speedup", usual, last),
        ("precision_speedup", ("usual", "fp32"), usual),
        ("both_speedup", ("usual", "fp32"), last),
    ):
        row[name] = {"samples": [times[slow] / times[fast] for times in rounds]}
    table.append(row)
    print(precision, *(f"{median(row[name]['samples']):.2f}" for name in [*row][1:]))
default, best = ("usual", "tf32"), ("channels_last", "bf16")
over_default = [times[default] / times[best] for times in rounds]
measured = {"by_precision": {"table": table}}
measured["over_default_speedup"] = {"samples": over_default}
measured["cases_with_either"] = len(with_either)
measured["outputs_with_either"] = sum(with_either)
measured["output_with_neither"] = found["usual", "usual"]
