"""
A resumed run needs the scaler's state
======================================

What must be saved to resume a run? The model, the optimizer and the gradient scaler, after the
update: the run then continues bit for bit. A new scaler overflows again, and steps are lost.
"""

import io

import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler(device.type)
scaler.scale(model(torch.ones(4, 8, device=device)).sum()).backward()
scaler.step(optimizer)
scaler.update()

parts = {"model": model, "optimizer": optimizer, "scaler": scaler}
file = io.BytesIO()
torch.save({name: part.state_dict() for name, part in parts.items()}, file)
file.seek(0)
saved = torch.load(file, map_location=device)
for name, part in parts.items():
    part.load_state_dict(saved[name])
print(saved["scaler"])

# %%
# A run whose scale falls at first and then grows. Its batches depend on the step alone, so that
# a resumed run sees the same ones. It is saved in the middle.

INTERVAL = 10
STEPS = 90
SAVED_AFTER = 55


def new_run():
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device.type, growth_interval=INTERVAL)
    return {"model": model, "optimizer": optimizer, "scaler": scaler}


def save(run):
    file = io.BytesIO()
    torch.save({name: part.state_dict() for name, part in run.items()}, file)
    return file


def train(run, steps, save_before_update=None):
    model, optimizer, scaler = run.values()
    scales, skipped, file = [], 0, None
    for step in steps:
        generator = torch.Generator().manual_seed(step)
        inputs = torch.randn(128, 16, generator=generator).to(device)
        prices = 200 + 50 * inputs.sum(1, keepdim=True).sin()
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.mse_loss(model(inputs), prices)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        if step == save_before_update:
            file = save(run)
        old = scaler.get_scale()
        scaler.update()
        scales.append(scaler.get_scale())
        skipped += scales[-1] < old
    return scales, skipped, file


whole = new_run()
first, _, early = train(whole, range(SAVED_AFTER), save_before_update=SAVED_AFTER - 1)
file = save(whole)
second, skipped, _ = train(whole, range(SAVED_AFTER, STEPS))
print(f"scales: {first[-1]} when saved, {second[-1]} at the end")

# %%
# Four runs resume: with everything, with a new scaler, with a new scaler that is given the old
# scale, and from a file that was saved before the update.


def resume(file, loaded=("model", "optimizer", "scaler"), scale=None):
    file.seek(0)
    saved, run = torch.load(file, map_location=device), new_run()
    for name in loaded:
        run[name].load_state_dict(saved[name])
    if scale:
        run["scaler"] = torch.amp.GradScaler(
            device.type, init_scale=scale, growth_interval=INTERVAL
        )
    scales, skipped, _ = train(run, range(SAVED_AFTER, STEPS))
    ends = zip(whole["model"].parameters(), run["model"].parameters(), strict=True)
    same = all(torch.equal(a, b) for a, b in ends)
    return {"same_weights": same, "same_scales": scales == second, "skipped": skipped}


two = ("model", "optimizer")
ways = [
    {"way": "all", **resume(file)},
    {"way": "new scaler", **resume(file, two)},
    {"way": "scale alone", **resume(file, two, first[-1])},
    {"way": "before update", **resume(early)},
]
print(*ways, sep="\n")

# %%
# "Skipped" counts the skipped steps after resuming; the run that was not interrupted has its own.

measured = {
    "steps": STEPS,
    "saved_after": SAVED_AFTER,
    "skipped": skipped,
    "scale_saved": first[-1],
    "by_way": {"table": ways},
}
