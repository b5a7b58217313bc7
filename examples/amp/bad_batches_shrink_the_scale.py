"""
Bad batches shrink the scale
============================

What do bad batches leave behind? Each one halves the scale, and nothing stops it at 1. A scale
that is too small makes gradients vanish, and in the end the scaler itself ruins the weights.
"""

import math

import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
good = torch.linspace(0, 1, 64 * 8, device=device).view(64, 8)
bad = torch.full_like(good, torch.nan)


def train(model, scaler, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.mse_loss(model(batch), batch)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


model = nn.Linear(8, 8).to(device)
scaler = torch.amp.GradScaler(device.type)
train(model, scaler, [bad] * 20)
print(f"after 20 bad batches: {scaler.get_scale()}")

# %%
# Good batches follow. A loop that protects itself sets the scale to 1 once it has fallen below.

GOOD = 10


def without_a_floor(model, scaler, batch):
    train(model, scaler, [batch])


def with_a_floor(model, scaler, batch):
    train(model, scaler, [batch])
    if scaler.get_scale() < 1:
        scaler.update(1.0)


def outcome(bad_batches, train_one):
    torch.manual_seed(0)
    model = nn.Linear(8, 8).to(device)
    scaler = torch.amp.GradScaler(device.type)
    start = model.weight.detach().clone()
    for _ in range(bad_batches):
        train_one(model, scaler, bad)
    changed = (model.weight != start).sum().item()
    exponent = int(math.log2(scaler.get_scale()))
    train(model, scaler, [good] * GOOD)
    weight = model.weight.detach()
    row = {"bad": bad_batches, "changed": changed, "exponent": exponent}
    moved, broken = weight != start, ~weight.isfinite()
    return {**row, "moved": moved.sum().item(), "broken": broken.sum().item()}


# %%
# The reciprocal of the scale is stored in FP32. After 144 bad batches from 65536 down, the scale
# is 2 to the power of -128, and its reciprocal is infinite: a gradient of zero becomes NaN, after
# the scaler has looked for NaN.

COUNTS = (17, 40, 143, 144)

unprotected = [outcome(count, without_a_floor) for count in COUNTS]
protected = [outcome(count, with_a_floor) for count in COUNTS]
print(*unprotected, *protected, sep="\n")

# %%
# The scale is given as an exponent of 2. "Changed" counts the weights that bad batches changed,
# "moved" and "broken" those that good ones moved or made infinite or NaN.

measured = {
    "good": GOOD,
    "weights": 8 * 8,
    "changed": sum(row["changed"] for row in unprotected + protected),
    "unprotected": {"table": unprotected},
    "protected": {"table": protected},
}
