"""
Clipping needs unscaled gradients
=================================

How do I clip gradients with a gradient scaler? Call ``unscale_`` first. For scaled gradients, a
threshold is far too low: every step is clipped, and a model trained with SGD hardly moves.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_
from torch.optim import SGD, Adam

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(64, 1).to(device)
optimizer = SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device.type)
x, y = torch.randn(256, 64).to(device), torch.zeros(256, 1, device=device)

with torch.autocast(device.type, torch.float16):
    loss = mse_loss(model(x), y)
scaler.scale(loss).backward()
scaler.unscale_(optimizer)  # before you clip, once
norm = clip_grad_norm_(model.parameters(), 1.0)
scaler.step(optimizer)  # does not unscale again
scaler.update()
print(f"norm before clipping: {norm:.3f}")

# %%
# A model is trained on data with a few wild targets, which clipping has to tame. Most batches have
# none, and the norms of their gradients are below the threshold.

STEPS, BATCH, SHOWN_EVERY, MOST = 150, 64, 10, 4.0


def data(rows, seed, wild):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(rows, 32, generator=generator)
    y = torch.tanh(x[:, :8]).sum(1, keepdim=True)
    y += wild * (torch.rand(rows, 1, generator=generator) < 0.001)
    return x.to(device), y.to(device)


samples, unseen = data(STEPS * BATCH, 1, wild=100), data(512, 2, wild=0)

# %%
# These are the ways to clip. The third leaves the gradients scaled and scales the threshold.


def unscaled(parameters, scaler, optimizer):
    scaler.unscale_(optimizer)
    clip_grad_norm_(parameters, MOST)


def scaled(parameters, *_):
    clip_grad_norm_(parameters, MOST)


def scaled_threshold(parameters, scaler, _):
    clip_grad_norm_(parameters, MOST * scaler.get_scale())


def not_clipped(*_):
    pass


# %%
# A step is harmless if the norm of its gradients is below the threshold. Clipping changes a step
# if its gradients are then neither what they were nor that divided by the scale, a power of two.


def train(clip, make_optimizer, lr, low=True):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    model = torch.nn.Sequential(*layers).to(device)
    optimizer = make_optimizer(model.parameters(), lr=lr)
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    curve, harmless, changed, skipped = [], 0, 0, 0
    for x, y in zip(samples[0].split(BATCH), samples[1].split(BATCH)):
        with torch.no_grad():
            curve.append(mse_loss(model(unseen[0]), unseen[1]).item())
        with torch.autocast(device.type, torch.float16, enabled=low):
            loss = mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scale = scaler.get_scale()
        before = torch.cat([p.grad.flatten() for p in model.parameters()])
        clip(model.parameters(), scaler, optimizer)
        after = torch.cat([p.grad.flatten() for p in model.parameters()])
        if before.norm() < 0.999 * MOST * scale:
            harmless += 1
            changed += not (after.equal(before) or after.equal(before / scale))
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        skipped += scaler.get_scale() < scale
    return curve, {"harmless": harmless, "changed": changed, "skipped": skipped}


# %%
# The reference clips in FP32, without a scaler. What does a model without clipping learn?

tables, curves = {}, {}
for kind, *optimizer in (("sgd", SGD, 0.05), ("adam", Adam, 3e-3)):
    curves[kind] = {"fp32": train(unscaled, *optimizer, low=False)[0]}
    rows = tables[kind] = {"table": []}
    for way in (unscaled, scaled, scaled_threshold, not_clipped):
        curve, counts = train(way, *optimizer)
        curves[kind][way.__name__] = curve
        counts["loss_ratio"] = curve[-1] / curves[kind]["fp32"][-1]
        rows["table"].append({"way": way.__name__, **counts})
    print(kind, *rows["table"], sep="\n")

# %%
# The curves of SGD are drawn on the page.

steps = range(0, STEPS, SHOWN_EVERY)
drawn = [(name, curves["sgd"][name]) for name in ("fp32", "unscaled", "scaled")]
curve = [{"step": i, **{name: losses[i] for name, losses in drawn}} for i in steps]
measured = {**tables, "curve": {"table": curve}}
