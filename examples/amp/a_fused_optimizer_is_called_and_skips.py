"""
A fused optimizer is called and skips
=====================================

Is the optimizer called after an overflow? A fused one is: the kernel itself skips the step. Its
hooks run, and a call that was counted need not have moved a weight.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
weight = nn.Parameter(torch.ones(8, device=device))
optimizer = torch.optim.Adam([weight], fused=True)
scaler = torch.amp.GradScaler(device.type)

optimizer.register_step_post_hook(lambda *_: print("the optimizer was called"))
scaler.scale((weight * torch.inf).sum()).backward()
scaler.step(optimizer)
scaler.update()
print(f"the weights moved: {(weight != 1).any().item()}, scale: {scaler.get_scale()}")

# %%
# Three optimizers, default and fused, take a good step, then skip one, then take another one. A
# hook counts the calls.

import warnings

OPTIMIZERS = {
    torch.optim.SGD: {"lr": 0.1, "momentum": 0.9},
    torch.optim.Adam: {},
    torch.optim.AdamW: {},
}
BATCHES = (1.0, torch.inf, 1.0)


def trial(kind, **settings):
    """Calls, good moves, moves by infinity, and the optimizer's own count."""
    weight = nn.Parameter(torch.ones(8, device=device))
    optimizer = kind([weight], **settings)
    scaler = torch.amp.GradScaler(device.type)
    calls, moves = [], []
    optimizer.register_step_post_hook(lambda *_: calls.append(1))
    for batch in BATCHES:
        optimizer.zero_grad()
        old = weight.detach().clone()
        scaler.scale((weight * batch).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        moves.append(not torch.equal(old, weight))
    count = int(optimizer.state[weight].get("step", 0))
    return len(calls), moves[0] + moves[2], moves[1], count


names = "calls", "good_moves", "bad_moves", "counted"
kinds = []
for fused in (False, True):
    trials = [trial(kind, fused=fused, **rest) for kind, rest in OPTIMIZERS.items()]
    totals = dict(zip(names, map(sum, zip(*trials, strict=True)), strict=True))
    kinds.append({"kind": "fused" if fused else "default", **totals})
print(*kinds, sep="\n")

# %%
# The scheduler of a learning rate warns if it is stepped before the optimizer. Here the first
# step of the optimizer is skipped, and the scheduler is stepped all the same.


def warning_of(fused):
    weight = nn.Parameter(torch.ones(8, device=device))
    optimizer = torch.optim.Adam([weight], fused=fused)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    scaler = torch.amp.GradScaler(device.type)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for batch in (torch.inf, 1.0, torch.inf):
            optimizer.zero_grad()
            scaler.scale((weight * batch).sum()).backward()
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
    return [str(warning.message) for warning in caught]


plain, fused = warning_of(fused=False), warning_of(fused=True)
print(f"{len(plain)} warning without fused, {len(fused)} with it")

# %%
# The counts are totals of the three optimizers. SGD has no count of its own steps.

measured = {
    "steps": len(OPTIMIZERS) * len(BATCHES),
    "good": len(OPTIMIZERS) * 2,
    "kinds": {"table": kinds},
    "warning": plain[0].partition("`.")[0] + "`",
    "warnings": len(plain),
    "fused_warnings": len(fused),
}
