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
from math import isfinite

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
# The ways, with the same first weights and batches. Adam adds ``eps`` before it divides; 1e-8, the
# default, is zero in FP16, and 1e-4 is not. A GPU older than Ampere, such as a T4, has no BF16.

WAYS = {
    "FP32": {},
    "autocast, FP16": {"autocast": torch.float16},
    "autocast, BF16": {"autocast": torch.bfloat16},
    "weights in BF16": {"weights": torch.bfloat16},
    "weights in FP16": {"weights": torch.float16},
    "weights in FP16, eps 1e-4": {"weights": torch.float16, "eps": 1e-4},
}
has_bf16 = device == "cpu" or torch.cuda.is_bf16_supported(including_emulation=False)
rows = []
for way, options in WAYS.items():
    if torch.bfloat16 in options.values() and not has_bf16:
        print(f"{way}: this GPU has no BF16")
        continue
    loss, accuracy, finite = trained(**options)
    failed = finite.index(False) + 1 if False in finite else 0
    row = {"way": way, "failed_in_step": failed, "loss_is_finite": isfinite(loss)}
    rows.append(row | {"accuracy_share": {"samples": [accuracy]}})
    state = f"not finite from step {failed}" if failed else "finite"
    print(f"{way}: {accuracy:.1%} right, loss {loss:.3f}, {state}")

# %%
# The reason: what Adam adds before it divides, as FP16 has it.

if device == "cpu":
    print("no GPU here: the types are the same on a CPU, and Adam fails there, too")
eps = torch.tensor([1e-8, 1e-4]).half()
print("eps in FP16:", eps.tolist())
measured = {
    "steps": len(finite),
    "default_eps_in_fp16": eps[0].item(),
    "by_way": {"table": rows},
}
