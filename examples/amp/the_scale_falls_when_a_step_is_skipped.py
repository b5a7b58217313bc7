"""
The scale falls when a step is skipped
======================================

Did the optimizer take its step? Compare the scale before and after the update: it falls when,
and only when, an optimizer has skipped. A hook knows it for optimizers that are not fused.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
weight = nn.Parameter(torch.ones(8, device=device))
optimizer = torch.optim.AdamW([weight], fused=True)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
scaler = torch.amp.GradScaler(device.type)

for batch in (torch.inf, 1.0, 1.0):
    optimizer.zero_grad()
    scaler.scale((weight * batch).sum()).backward()
    scaler.step(optimizer)
    scale = scaler.get_scale()
    scaler.update()
    if scaler.get_scale() >= scale:  # the step was taken
        scheduler.step()
rate = scheduler.get_last_lr()[0]
print(f"learning rate after two steps: {rate:.6f}")

# %%
# A run of steps with overflows in it, and with an interval so short that the scale grows too.
# After each step, three ways of asking are compared with the truth: whether a weight has moved.

STEPS = 60
BAD = {0, 1, 7, 20, 21, 22, 41, 59}


def ask(fused):
    weight = nn.Parameter(torch.ones(8, device=device))
    optimizer = torch.optim.AdamW([weight], fused=fused)
    scaler = torch.amp.GradScaler(device.type, growth_interval=5)
    calls = []
    optimizer.register_step_post_hook(lambda *_: calls.append(1))
    right = dict.fromkeys(("scale", "hook", "result"), 0)
    grown = 0
    for step in range(STEPS):
        optimizer.zero_grad()
        old = weight.detach().clone()
        loss = (weight * (torch.inf if step in BAD else 1.0)).sum()
        scaler.scale(loss).backward()
        calls.clear()
        result = scaler.step(optimizer)
        scale = scaler.get_scale()
        scaler.update()
        moved = not torch.equal(old, weight)
        right["scale"] += (scaler.get_scale() >= scale) == moved
        right["hook"] += bool(calls) == moved
        right["result"] += (result is not None) == moved
        grown += scaler.get_scale() > scale
    return right, grown


(default, grown), (fused, _) = ask(fused=False), ask(fused=True)
ways = [{"way": way, "default": default[way], "fused": fused[way]} for way in default]
print(*ways)

# %%
# An optimizer that is unscaled counts, although it is not stepped. The other one steps.

weights = [nn.Parameter(torch.ones(8, device=device)) for _ in range(2)]
optimizers = [torch.optim.AdamW([weight]) for weight in weights]
scaler = torch.amp.GradScaler(device.type)
scaler.scale(weights[0].sum() + (weights[1] * torch.inf).sum()).backward()
scaler.unscale_(optimizers[1])
scaler.step(optimizers[0])
scaler.update()
fell, stepped = scaler.get_scale() < 2.0**16, (weights[0] != 1).all().item()

# %%
# A schedule that steps in any case runs ahead of the optimizer.


def decays(ask_first):
    weight = nn.Parameter(torch.ones(8, device=device))
    optimizer = torch.optim.AdamW([weight], fused=True)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    scaler = torch.amp.GradScaler(device.type)
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = (weight * (torch.inf if step in BAD else 1.0)).sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scale = scaler.get_scale()
        scaler.update()
        if not ask_first or scaler.get_scale() >= scale:
            scheduler.step()
    return scheduler.last_epoch


measured = {
    "steps": STEPS,
    "bad": len(BAD),
    "grown": grown,
    "ways": {"table": ways},
    "fell_without_a_skip": fell and stepped,
    "decays": decays(ask_first=False),
    "decays_asked": decays(ask_first=True),
}
