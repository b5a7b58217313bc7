"""
A hook sees scaled gradients
============================

Where are the gradients scaled? They are from ``backward()`` until ``unscale_`` or ``step``. The
hook of a parameter runs within ``backward()``, so a threshold in it needs the scale.
"""

# sphinx_gallery_quiet = "nothing"
import copy

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
model = torch.nn.Sequential(*layers).to(device)
scaler = torch.amp.GradScaler(device.type)
x, y = torch.randn(256, 32).to(device), torch.randn(256, 1).to(device)


def backward(model, scaler):
    with torch.autocast(device.type, torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), y)
    scaler.scale(loss).backward()


def flat(model):
    return torch.cat([p.grad.double().flatten() for p in model.parameters()])


backward(model, scaler)
print(f"largest gradient: {flat(model).abs().max():.0f}")

# %%
# The reference is the gradient in FP64. Where are gradients scaled, and how far off are they?

model.zero_grad()
plain, precise = copy.deepcopy(model), copy.deepcopy(model).double()
torch.nn.functional.mse_loss(precise(x.double()), y.double()).backward()
reference, scale = flat(precise), scaler.get_scale()
rows = []


def look(place, seen, unscaled):
    error = (seen / (1.0 if unscaled else scale) - reference).norm() / reference.norm()
    is_scaled = bool(seen.norm() > scale / 2 * reference.norm())
    rows.append({"place": place, "error_share": error.item(), "scaled": is_scaled})
    print(rows[-1])


# %%
# Hooks of tensors see the gradient before it is stored, and the other hooks see it afterwards.

seen, stored = {}, {}
for p in model.parameters():
    p.register_hook(lambda grad, p=p: seen.update({p: grad.clone()}))
    p.register_post_accumulate_grad_hook(lambda p: stored.update({p: p.grad.clone()}))
backward(model, scaler)
for place, grads in (("hook", seen), ("accumulate_hook", stored)):
    look(place, torch.cat([grads[p].flatten() for p in model.parameters()]), False)
look("backward", flat(model), False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
scaler.unscale_(optimizer)
look("unscale", flat(model), True)
unscaled = flat(model)
scaler.step(optimizer)
changed_by_step = (flat(model) != unscaled).sum().item()
scaler.update()

# %%
# Without ``unscale_``, the gradients can be read after the step.

for place, options in (("step", {}), ("fused_step", {"fused": True})):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0, **options)
    optimizer.zero_grad()
    backward(model, scaler)
    scaler.step(optimizer)
    scaler.update()
    look(place, flat(model), True)

# %%
# What does a fused optimizer leave if it skips?

model.zero_grad()
backward(model, scaler)
before = model[2].weight.grad.clone()
model[0].weight.grad[0, 0] = torch.inf
scaler.step(optimizer)
scaler.update()
kept, scale = (model[2].weight.grad == before).sum().item(), scaler.get_scale()

# %%
# A hook may clip each element. A copy of the model gets such hooks, with a threshold that no
# element of the reference reaches, or with that threshold multiplied by the scale.

LARGEST = 0.5
cut = {}
model.zero_grad()
backward(model, scaler)
scaled = flat(model)
for name, threshold in (("scaled", LARGEST), ("threshold_scaled", LARGEST * scale)):
    clipped = copy.deepcopy(plain)
    for p in clipped.parameters():
        p.register_hook(lambda grad, most=threshold: grad.clamp(-most, most))
    backward(clipped, scaler)
    cut[name] = (flat(clipped) != scaled).sum().item()

measured = {
    "places": {"table": rows},
    "scaled_early": sum(row["scaled"] for row in rows[:3]),
    "scaled_late": sum(row["scaled"] for row in rows[3:]),
    "changed_by_step": changed_by_step,
    "elements_of_a_layer": len(before.flatten()),
    "kept_by_a_skip": kept,
    "elements": len(reference),
    "beyond": (reference.abs() >= LARGEST).sum().item(),
    "cut_by_scaled": cut["scaled"],
    "cut_by_threshold_scaled": cut["threshold_scaled"],
}
