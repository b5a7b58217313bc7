"""
Adam fails with weights in FP16
===============================

Why not put the whole model into 16 bits? ``model.half()`` is one line, where mixed precision needs
six; but in FP16, Adam's small numbers become zero, and its first step divides by them. Autocast
leaves the weights in FP32, and the loop learns as before.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
train = TensorDataset(points[:4000], labels[:4000])
for kind in torch.float32, torch.float16:
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3))
    model = model.to(device, kind)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(3):
        for x, y in DataLoader(train, batch_size=100, shuffle=True):
            x, y = x.to(device, kind), y.to(device)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"weights in {kind}: loss {loss.item():.3f}")

# %%
# The same loop with the weights in any type, with autocast, and with another ``eps``. After each
# step: are all weights finite? And in the end, how many points that it has not seen are right?

from contextlib import nullcontext

test, answers = points[4000:].to(device), labels[4000:].to(device)


def trained(weights=torch.float32, autocast=None, eps=1e-8):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3))
    model = model.to(device, weights)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, eps=eps)
    scaler = torch.amp.GradScaler(device, enabled=autocast == torch.float16)
    mixed = torch.autocast(device, dtype=autocast) if autocast else nullcontext()
    is_finite = []
    for _ in range(10):
        for x, y in DataLoader(train, batch_size=100, shuffle=True):
            x, y = x.to(device, weights), y.to(device)
            with mixed:
                loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            of_each = [weight.isfinite().all() for weight in model.parameters()]
            is_finite.append(torch.stack(of_each).all())
    with torch.no_grad():
        right = model(test.to(weights)).argmax(dim=1) == answers
    return loss.item(), right.float().mean().item(), torch.stack(is_finite).tolist()


# %%
# Adam adds ``eps`` before it divides; 1e-8, the default, is zero in FP16, and 1e-4 is not.

if device == "cpu":
    print("no GPU here: the types are the same on a CPU, and Adam fails there, too")
_, _, finite = trained(weights=torch.float16)
print(f"weights in FP16 are not finite after step {finite.index(False) + 1}")
eps = torch.tensor([1e-8, 1e-4]).half()
print("eps in FP16:", eps.tolist())

# %%
# From which gradient on is Adam's ``v`` not zero in FP16? One step, for a single weight.


def v_after_a_step(gradient):
    weight = torch.zeros(1, device=device, dtype=torch.float16, requires_grad=True)
    optimizer = torch.optim.Adam([weight])
    weight.grad = torch.full_like(weight, gradient)
    optimizer.step()
    return optimizer.state[weight]["exp_avg_sq"].item()


v_of = {each: v_after_a_step(each) for each in (0.001, 0.002, 0.004, 0.008, 0.016)}
print("gradient: v", {each: f"{v:.1e}" for each, v in v_of.items()})

# %%
# The ways, with the same first weights and batches. An older GPU, such as a T4, has no BF16.

WAYS = {
    "FP32": {},
    "autocast, FP16": {"autocast": torch.float16},
    "autocast, BF16": {"autocast": torch.bfloat16},
    "weights in BF16": {"weights": torch.bfloat16},
    "weights in FP16": {"weights": torch.float16},
    "weights in FP16, eps 1e-4": {"weights": torch.float16, "eps": 1e-4},
}
if device == "cuda" and not torch.cuda.is_bf16_supported(including_emulation=False):
    WAYS = {way: WAYS[way] for way in WAYS if "BF16" not in way}
    print("this GPU has no BF16")
results = {way: trained(**options) for way, options in WAYS.items()}
for way, (loss, right, finite) in results.items():
    print(f"{way}: {right:.1%} right, loss {loss:.3f}, finite {all(finite)}")

# %%
# For the record: the step that fails (zero: never), and the rest as printed.

from math import isfinite

rows = []
for way, (loss, right, finite) in results.items():
    failed = finite.index(False) + 1 if False in finite else 0
    row = {"way": way, "failed_in_step": failed, "loss_is_finite": isfinite(loss)}
    rows.append(row | {"accuracy_share": {"samples": [right]}})
of_gradients = [{"gradient": each, "v": v} for each, v in v_of.items()]
measured = {"steps": len(finite), "default_eps_in_fp16": eps[0].item()}
measured |= {"by_way": {"table": rows}, "by_gradient": {"table": of_gradients}}
