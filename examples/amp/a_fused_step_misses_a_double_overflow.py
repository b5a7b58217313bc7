"""
A fused step misses a double overflow
=====================================

Does a fused optimizer skip every overflow? Not when gradients overflow on two GPUs at once: the
scaler adds up what it found on each, and the kernel skips only if the sum is one.
"""

# sphinx_gallery_evidence = {"gpus": 2}
import torch
from torch import nn

model = nn.ModuleList([nn.Linear(8, 8).to("cuda:0"), nn.Linear(8, 8).to("cuda:1")])
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
scaler = torch.amp.GradScaler("cuda")

hidden = model[0](torch.ones(4, 8, device="cuda:0"))
loss = model[1](hidden.to("cuda:1")).sum() * torch.inf
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
print(f"finite: {model[0].weight.isfinite().all().item()}, scale: {scaler.get_scale()}")

# %%
# Each optimizer sees an overflow that reaches the second GPU alone, and one that reaches both.
# Every other choice is the same.

TRIES = 10
OPTIMIZERS = {
    "SGD": torch.optim.SGD,
    "Adam": torch.optim.Adam,
    "AdamW": torch.optim.AdamW,
}


def one_step(kind, fused, both):
    """Whether the weights stayed as they were, and whether the scale fell."""
    model = nn.ModuleList([nn.Linear(8, 8).to("cuda:0"), nn.Linear(8, 8).to("cuda:1")])
    optimizer = kind(model.parameters(), lr=0.1, fused=fused)
    scaler = torch.amp.GradScaler("cuda")
    old = [parameter.detach().clone() for parameter in model.parameters()]
    hidden = model[0](torch.ones(4, 8, device="cuda:0")).to("cuda:1")
    if both:
        loss = model[1](hidden).sum() * torch.inf
    else:
        loss = model[1](hidden.detach()).sum() * torch.inf + hidden.sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    kept = all(torch.equal(a, b) for a, b in zip(old, model.parameters(), strict=True))
    return kept, scaler.get_scale() == 32768.0


def trial(name, fused):
    one, two = (
        [one_step(OPTIMIZERS[name], fused, both) for _ in range(TRIES)]
        for both in (False, True)
    )
    return {
        "optimizer": f"{name}, fused" if fused else name,
        "changed_by_one": sum(not kept for kept, _ in one),
        "changed_by_two": sum(not kept for kept, _ in two),
        "halved_by_two": sum(halved for _, halved in two),
    }


rows = [trial(name, fused) for name in OPTIMIZERS for fused in (False, True)]
print(*rows, sep="\n")

# %%
# A changed weight is wrong after an overflow, whatever its value.

measured = {"tries": TRIES, "by_optimizer": {"table": rows}}
