"""
Mixed precision speeds up large steps
=====================================

How much faster is a training step in mixed precision? A transformer block, a convolutional net
and a wide MLP train in FP32, TF32, FP16 with a scaler, and BF16. TF32 has much of the gain.
"""

import time
from statistics import median

import torch
from torch import nn

# %%
# Four models, large enough to keep the GPU busy. The last is that of PyTorch's recipe for mixed
# precision: the layers of the wide MLP, with a smaller batch.


def make(name):
    if name == "transformer":
        options = {"dropout": 0.0, "batch_first": True, "norm_first": True}
        return nn.TransformerEncoderLayer(1024, 16, 4096, **options)
    layers = []
    if name == "conv_net":
        for before, after, stride in ((64, 128, 2), (128, 128, 1), (128, 256, 2)):
            convolution = nn.Conv2d(before, after, 3, stride, padding=1, bias=False)
            layers += [convolution, nn.BatchNorm2d(after), nn.ReLU()]
        return nn.Sequential(*layers)
    for _ in range(3):
        layers += [nn.Linear(4096, 4096), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


BATCHES = {
    "transformer": (64, 512, 1024),
    "conv_net": (512, 64, 56, 56),
    "wide_mlp": (4096, 4096),
    "recipe": (512, 4096),
}

# %%
# A precision is a setting for FP32 matmuls and convolutions, a type for autocast or none, and a
# scaler that is switched off or on. For convolutions, TF32 would be the default.

PRECISIONS = {
    "fp32": ("ieee", None, False),
    "tf32": ("tf32", None, False),
    "fp16": ("ieee", torch.float16, True),
    "bf16": ("ieee", torch.bfloat16, False),
}
ROUNDS, STEPS = 5, {"transformer": 1, "conv_net": 1, "wide_mlp": 2, "recipe": 6}
made = {}
for name, shape in BATCHES.items():
    with torch.device("cuda"):
        model, batch = make(name), torch.randn(shape)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    scalers = [torch.amp.GradScaler("cuda", enabled=on) for on in (False, True)]
    made[name] = model, batch, optimizer, scalers


def train(name, precision, steps):
    setting, low, scaled = PRECISIONS[precision]
    torch.backends.cuda.matmul.fp32_precision = setting
    torch.backends.cudnn.conv.fp32_precision = setting
    model, batch, optimizer, scaler = *made[name][:3], made[name][3][scaled]
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=low, enabled=low is not None):
            loss = model(batch).float().square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# %%
# The host clock is read while the GPU is idle, and times several steps of the small models. The
# precisions take turns in every round, after a first step each and a warm-up for a set time.


def seconds(name, precision):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    train(name, precision, STEPS[name])
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / STEPS[name]


arms = [(name, precision) for name in BATCHES for precision in PRECISIONS]
for arm in arms:
    train(*arm, 1)  # loads what the arm needs
warm_until = time.perf_counter() + 0.4
while time.perf_counter() < warm_until:
    for arm in arms:
        train(*arm, 1)
scales = [scaler.get_scale() for *_, (_, scaler) in made.values()]  # of FP16
times = {arm: [] for arm in arms}
for _ in range(ROUNDS):
    for arm in arms:
        times[arm].append(seconds(*arm))

# %%
# Speedups are relative to FP32. A scale that has not changed shows that no step was skipped.


def ratio(name, slow, fast):
    return {"samples": [s / f for s, f in zip(times[name, slow], times[name, fast])]}


table = []
for name in BATCHES:
    row = {"model": name, "fp32_s": {"samples": times[name, "fp32"]}}
    for low in ("tf32", "fp16", "bf16"):
        row[f"{low}_speedup"] = ratio(name, "fp32", low)
    row["bf16_over_tf32_speedup"] = ratio(name, "tf32", "bf16")
    table.append(row | {"fp16_over_bf16_slowdown": ratio(name, "fp16", "bf16")})
    print(name, {key: f"{median(row[key]['samples']):.3g}" for key in [*row][1:]})
changed = sum(a != s.get_scale() for a, (*_, (_, s)) in zip(scales, made.values()))
counts = {"scales": len(scales), "changed_scales": changed}
measured = {"by_model": {"table": table}, **counts}
