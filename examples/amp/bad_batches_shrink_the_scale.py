"""
Bad batches shrink the scale
============================

What do bad batches leave behind? Each one halves the scale, and nothing stops it at 1. A scale
that is too small makes gradients vanish, and in the end the scaler itself ruins the weights.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model, scaler, optimizer, batches):
    for batch in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.mse_loss(model(batch), batch)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


model, bad = nn.Linear(8, 8).to(device), torch.full((64, 8), torch.nan, device=device)
scaler = torch.amp.GradScaler(device.type)
train(model, scaler, torch.optim.SGD(model.parameters()), [bad] * 20)
print(f"the scale, first 65536, after 20 bad batches: {scaler.get_scale()}")

# %%
# Wrong: nobody asks for the scale.


def without_a_floor(model, scaler, optimizer, batches):
    for batch in batches:
        train(model, scaler, optimizer, [batch])


# %%
# Right: after each eighth batch, a scale that has fallen below 1 is set to 1. Between two such
# batches the host need not wait, and the scale may be smaller.


def with_a_floor(model, scaler, optimizer, batches):
    for step, batch in enumerate(batches):
        train(model, scaler, optimizer, [batch])
        if step % 8 == 7 and scaler.get_scale() < 1:  # the host waits here
            scaler.update(1.0)


# %%
# Bad batches come first in either way, and then good ones. The reciprocal of the scale is stored in
# FP32. After 144 bad batches from 65536 down, the scale is 2 to the power of -128, and its
# reciprocal is infinite: a gradient of zero becomes NaN, after the scaler has looked for NaN.

import math

COUNTS, GOOD = (17, 40, 143, 144), 10
good = torch.linspace(0, 1, 64 * 8, device=device).view(64, 8)


def outcome(bad_batches, train_all):
    torch.manual_seed(0)
    model = nn.Linear(8, 8).to(device)
    scaler = torch.amp.GradScaler(device.type)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    start = model.weight.detach().clone()
    train_all(model, scaler, optimizer, [bad] * bad_batches)
    changed = (model.weight != start).sum().item()
    exponent = int(math.log2(scaler.get_scale()))
    train(model, scaler, optimizer, [good] * GOOD)
    weight = model.weight.detach()
    row = {"bad": bad_batches, "changed": changed, "exponent": exponent}
    moved, broken = weight != start, ~weight.isfinite()
    return {**row, "moved": moved.sum().item(), "broken": broken.sum().item()}


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
