"""
A scaler finds its scale
========================

How does a gradient scaler choose its scale? It begins with a large one, halves it when a
gradient is infinite or NaN, and doubles it after enough good steps in a row.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)
inputs = torch.randn(128, 16, device=device)
prices = 200 + 50 * inputs.sum(1, keepdim=True).sin()  # large: gradients overflow
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler(device.type)

for step in range(12):
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        loss = nn.functional.mse_loss(model(inputs), prices)
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # leaves the weights alone if a gradient is infinite or NaN
    scaler.update()  # halves the scale in that case
    print(step, scaler.get_scale())  # to watch it: the host waits here

# %%
# A longer run, of a deeper network, notes of each step whether all gradients were finite and
# whether the weights moved. A scaler doubles its scale after 2000 good steps by default; here
# after 25, so that the run stays short.

INTERVAL = 25
STEPS = 300

layers = nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1)
model = nn.Sequential(*layers).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler(device.type, growth_interval=INTERVAL)


def weights():
    return nn.utils.parameters_to_vector(model.parameters()).detach()


steps = []
for _ in range(STEPS):
    before = weights()
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.float16):
        loss = nn.functional.mse_loss(model(inputs), prices)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    finite = all(p.grad.isfinite().all().item() for p in model.parameters())
    moved = not torch.equal(before, weights())
    steps.append((int(scaler.get_scale()), finite, moved, loss.item()))
first_skips = [moved for _, _, moved, _ in steps].index(True)
print(f"{first_skips} first steps skipped; the scale is {steps[first_skips][0]}")

# %%
# The rule, written out: half the scale after a skipped step, twice the scale after as many good
# steps in a row as the interval says. The scale of each step is compared with it.

rule, good, off_rule = 65536, 0, 0
changes = [{"step": 0, "scale": rule, "skipped": False}]
for number, (scale, _, moved, _) in enumerate(steps, 1):
    good = good + 1 if moved else 0
    rule = rule if moved else rule // 2
    if good == INTERVAL:
        rule, good = 2 * rule, 0
    off_rule += scale != rule
    if scale != changes[-1]["scale"]:
        changes.append({"step": number, "scale": scale, "skipped": not moved})
print(*changes, sep="\n")

# %%
# Every change of the scale is a row of a table.

skipped = [finite for _, finite, moved, _ in steps if not moved]
measured = {
    "steps": STEPS,
    "interval": INTERVAL,
    "first_skips": first_skips,
    "skipped": len(skipped),
    "skipped_though_finite": sum(skipped),
    "taken_though_infinite": sum(moved and not finite for _, finite, moved, _ in steps),
    "off_rule": off_rule,
    "lowest": min(scale for scale, *_ in steps),
    "highest_afterwards": max(scale for scale, *_ in steps[first_skips:]),
    "changes": {"table": changes},
    "first_loss": steps[0][3],
    "last_loss": steps[-1][3],
}
