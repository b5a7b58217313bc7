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

device, n = ("cuda", 4096) if torch.cuda.is_available() else ("cpu", 96)
torch.manual_seed(0)
x = (torch.rand(4000, 2) * 2 - 1).to(device)  # all points: one batch, moved once
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
model = nn.Sequential(*layers).to(device)  # wider, with one more layer
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # in smaller steps
scaler = torch.amp.GradScaler(device)  # one
for _ in range(20):
    begin = perf_counter()
    with torch.autocast(device, dtype=torch.float16):  # two
        loss = nn.functional.cross_entropy(model(x), y)  # three: it is in the block
    optimizer.zero_grad()
    scaler.scale(loss).backward()  # four
    scaler.step(optimizer)  # five
    scaler.update()  # six
    loss.item()  # waits for the GPU
print(f"last step: {perf_counter() - begin:.5f} s, loss {loss.item():.3f}")

# %%
# The loop without the six lines, and with them. FP16 runs on older GPUs, too, such as a T4, which
# has no BF16. The scaler is made once, and stays with its model.


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
for name, width, steps in (("small", 64, 50), ("wide", n, 20)):
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
    faster = f"{median(ratios):.2f} times as fast; " if device == "cuda" else ""
    print(f"{name}: {faster}losses {loss:.3f} and {loss_mixed:.3f}")
if device == "cpu":
    print("no GPU here: the six lines run, and what a GPU gains by them is not seen")
measured = {"by_model": {"table": rows}}
