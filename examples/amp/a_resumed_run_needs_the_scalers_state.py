"""
A resumed run needs the scaler's state
======================================

What must be saved to resume a run? The model, the optimizer and the gradient scaler, after the
update: the run then continues bit for bit. A new scaler overflows again, and steps are lost.
"""

# sphinx_gallery_quiet = "nothing"
import io

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(8, 1).to(device)
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler(device.type)
scaler.scale(model(torch.ones(4, 8, device=device)).sum()).backward()
scaler.step(optimizer)
scaler.update()

parts = {"model": model, "optimizer": optimizer, "scaler": scaler}
file = io.BytesIO()  # or the name of a file
torch.save({name: part.state_dict() for name, part in parts.items()}, file)
file.seek(0)
saved = torch.load(file)
for name, part in parts.items():
    part.load_state_dict(saved[name])

# %%
# A run whose scale falls at first and then grows. Its batches depend on the step alone, so that
# a resumed run sees the same ones. It is saved in the middle.

from torch import nn

STEPS = 90
SAVED_AFTER = 55


def new_run():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device.type, growth_interval=10)
    return {"model": model, "optimizer": optimizer, "scaler": scaler}


def train(run, steps):
    model, optimizer, scaler = run.values()
    scales, skipped = [], 0
    for step in steps:
        generator = torch.Generator().manual_seed(step)
        inputs = torch.randn(128, 16, generator=generator).to(device)
        prices = 200 + 50 * inputs.sum(1, keepdim=True).sin()
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.mse_loss(model(inputs), prices)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        old = scaler.get_scale()
        scaler.update()
        scales.append(scaler.get_scale())
        skipped += scales[-1] < old
    return scales, skipped


def weights(run):
    return nn.utils.parameters_to_vector(run["model"].parameters()).detach()


def differing(one, other):
    """How many weights of two runs differ, in any bit."""
    return (weights(one) != weights(other)).sum().item()


whole, again = new_run(), new_run()
first, _ = train(whole, range(SAVED_AFTER))
file = io.BytesIO()
torch.save({name: part.state_dict() for name, part in whole.items()}, file)
second, skipped = train(whole, range(SAVED_AFTER, STEPS))
train(again, range(STEPS))
print(f"scales: {first[-1]} when saved, {second[-1]} at the end")

# %%
# Two runs resume: one with everything, and one with a new scaler.


def resume(*names):
    file.seek(0)
    saved, run = torch.load(file), new_run()
    for name in names:
        run[name].load_state_dict(saved[name])
    scales, skipped = train(run, range(SAVED_AFTER, STEPS))
    same = sum(a == b for a, b in zip(scales, second, strict=True))
    differ = differing(whole, run)
    return {"differing": differ, "same_scales": same, "skipped": skipped}


ways = [
    {"way": "all", **resume("model", "optimizer", "scaler")},
    {"way": "new scaler", **resume("model", "optimizer")},
]
print(*ways, sep="\n")

# %%
# "Skipped" counts the skipped steps after resuming; the run that was not interrupted has its own.

measured = {
    "steps": STEPS,
    "saved_after": SAVED_AFTER,
    "rest": len(second),
    "weights": len(weights(whole)),
    "differing_if_repeated": differing(whole, again),
    "skipped": skipped,
    "scale_saved": int(first[-1]),
    "by_way": {"table": ways},
}
