"""
A model beyond FP16 never steps
===============================

Why does the scale fall and fall? Because something is infinite at every scale: here, the output
of a network trained in BF16 is beyond the range of FP16. A scale below 1 alone is no error.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
inputs = torch.randn(256, 16, device=device)
incomes = 200_000 + 50_000 * inputs.sum(1, keepdim=True).sin()
layers = nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)
model = nn.Sequential(*layers).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)

for _ in range(100):
    optimizer.zero_grad()
    with torch.autocast(device.type, torch.bfloat16):
        loss = nn.functional.mse_loss(model(inputs), incomes)
    loss.backward()
    optimizer.step()
with torch.no_grad(), torch.autocast(device.type, torch.float16):
    print(
        f"in FP16: {model(inputs).max().item()}, the limit: {torch.finfo(torch.half).max}"
    )

# %%
# The training goes on, once in FP16 with a scaler and once in BF16. Steps that leave the weights
# as they were count as skipped.

import copy

STEPS = 40
STEPS_OF_SUM = 200


def train(model, dtype, target, steps=STEPS, scaled=True, reduction="mean", floor=0):
    model = copy.deepcopy(model)
    optimizer = torch.optim.Adam(
        model.parameters(), lr=0.1 if target is incomes else 0.01
    )
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    skipped, finite_losses, losses = 0, 0, []
    for _ in range(steps):
        optimizer.zero_grad()
        before = nn.utils.parameters_to_vector(model.parameters()).detach()
        with torch.autocast(device.type, dtype):
            loss = nn.functional.mse_loss(model(inputs), target, reduction=reduction)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() < floor:
            scaler.update(floor)
        after = nn.utils.parameters_to_vector(model.parameters()).detach()
        skipped += torch.equal(before, after)
        finite_losses += loss.isfinite().item()
        losses.append(loss.item())
    result = {"skipped": skipped, "finite_losses": finite_losses}
    return result, scaler.get_scale(), losses


in_fp16, scale, _ = train(model, torch.float16, incomes)
in_bf16, _, _ = train(model, torch.bfloat16, incomes, scaled=False)
trained = [{"dtype": "FP16", **in_fp16}, {"dtype": "BF16", **in_bf16}]
print(*trained, f"scale: {scale}", sep="\n")

# %%
# A scale below 1 can be the right one. Here everything in the forward pass fits into FP16, but
# the loss is a sum, and its gradients do not. The network is new. What does a floor of 1 do?

torch.manual_seed(1)
layers = nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1)
new = nn.Sequential(*layers).to(device)
sums = {"target": incomes / 200, "steps": STEPS_OF_SUM, "reduction": "sum"}
summed, scale_of_sum, losses = train(new, torch.float16, **sums)
floored, _, _ = train(new, torch.float16, **sums, floor=1.0)
print(f"{summed}, scale: {scale_of_sum}, loss: {losses[0]:.3g}, then {losses[-1]:.3g}")

# %%
# The limit of FP16 is that of `torch.finfo`.

measured = {
    "steps": STEPS,
    "steps_of_sum": STEPS_OF_SUM,
    "trained": {"table": trained},
    "scale": scale,
    "limit": int(torch.finfo(torch.float16).max),
    "summed_skipped": summed["skipped"],
    "floored_skipped": floored["skipped"],
    "summed_scale": scale_of_sum,
    "summed_loss_share": losses[-1] / losses[0],
}
