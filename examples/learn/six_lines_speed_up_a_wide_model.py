"""
Six lines speed up a wide model
===============================

Does mixed precision make my loop faster? Its six lines add work to each step: casts, a scale, a
look for infinities. A wide model gains much more than that from its 16-bit matmuls; the small one
of the first loop has nothing to gain, and becomes slower.
"""

from time import perf_counter

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
WIDE = 4096 if device == "cuda" else 96  # CPUs may be slow in 16 bits
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
x, y = points[:4000].to(device), labels[:4000].to(device)


def model_and_adam(width):
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    rate = 0.01 if width == 64 else 0.0001
    return model, torch.optim.Adam(model.parameters(), lr=rate)


def train(model, optimizer, steps):
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


# %%
# The same loop with six lines that are new or changed. FP16 runs on older GPUs, too, such as a T4,
# which has no BF16. The scaler is made once, and stays with its model.


def train_mixed(model, optimizer, steps, scaler):
    for _ in range(steps):
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss


def seconds(call, *arguments):
    begin = perf_counter()
    loss = call(*arguments).item()  # waits for the GPU
    return perf_counter() - begin, loss


# %%
# Both loops begin with the same weights, and take turns. (On a CPU, 16 bits may take longer.)

from statistics import median

ROUNDS, rows = 5, []
for name, width, steps in (("small", 64, 50), ("wide", WIDE, 20)):
    torch.manual_seed(1)
    plain = model_and_adam(width)
    torch.manual_seed(1)
    mixed = model_and_adam(width)
    scaler = torch.amp.GradScaler(device)
    before, after = [], []
    for turn in range(2 + ROUNDS):
        taken, loss = seconds(train, *plain, steps)
        taken_mixed, loss_mixed = seconds(train_mixed, *mixed, steps, scaler)
        if turn >= 2:  # the first turns warm up
            before.append(taken / steps)
            after.append(taken_mixed / steps)
    ratios = [a / b for a, b in zip(before, after)]
    row = {"plain_s": {"samples": before}, "mixed_s": {"samples": after}}
    row |= {"speedup": {"samples": ratios}, "loss": {"samples": [loss]}}
    rows.append({"model": name} | row | {"loss_mixed": {"samples": [loss_mixed]}})
    ratio = median(ratios)
    print(f"{name}: {ratio:.2f} times as fast; losses {loss:.3f} and {loss_mixed:.3f}")
if device == "cpu":
    print("no GPU here: the six lines run, and what a GPU gains by them is not seen")
measured = {"by_model": {"table": rows}}
