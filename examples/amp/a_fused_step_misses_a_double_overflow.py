"""
A fused step misses a double overflow
=====================================

Does a fused optimizer skip every overflow? Not when gradients overflow on two GPUs at once: the
scaler adds up what it found on each, and the kernel skips only if the sum is one.
"""

# sphinx_gallery_evidence = {"gpus": 2}
# sphinx_gallery_quiet = "nothing"
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
# A hook that runs before the optimizer's step can cap the sum, which the scaler leaves in an
# attribute of a fused optimizer.


def cap_found_inf(optimizer, *_):
    """Count an overflow once, on however many GPUs."""
    if hasattr(optimizer, "found_inf"):
        optimizer.found_inf.clamp_(max=1)


# %%
# Two layers take one step. The cases say on which GPUs the layers are, and by what their losses
# are multiplied: infinity makes all gradients of a layer infinite. Another hook notes the sum.

TRIES = 10
OPTIMIZERS = torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW
BOTH, ONE = ("cuda:0", "cuda:1"), ("cuda:0", "cuda:0")
CASES = {
    "none": (BOTH, (1.0, 1.0)),
    "second GPU": (BOTH, (1.0, torch.inf)),
    "both GPUs": (BOTH, (torch.inf, torch.inf)),
    "both GPUs, capped": (BOTH, (torch.inf, torch.inf)),
    "twice on one GPU": (ONE, (torch.inf, torch.inf)),
}


def one_step(kind, case, **options):
    """What happened to the weights, whether the scale fell, and the sum that was given."""
    devices, factors = CASES[case]
    model = nn.ModuleList([nn.Linear(8, 8).to(device) for device in devices])
    optimizer = kind(model.parameters(), lr=0.1, **options)
    found = []
    optimizer.register_step_pre_hook(
        lambda o, *_: found.append(int(getattr(o, "found_inf", -1)))
    )
    if "capped" in case:
        optimizer.register_step_pre_hook(cap_found_inf)
    scaler = torch.amp.GradScaler("cuda")
    old = [parameter.detach().clone() for parameter in model.parameters()]
    for layer, device, factor in zip(model, devices, factors, strict=True):
        loss = layer(torch.ones(4, 8, device=device)).sum() * factor
        scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    pairs = zip(old, model.parameters(), strict=True)
    changed = not all(torch.equal(a, b) for a, b in pairs)
    lost = not any(p.isfinite().any().item() for p in model.parameters())
    lowered = scaler.get_scale() < 2.0**16
    return changed, lost, lowered, found[0] if found else -1


# %%
# Each optimizer that can be fused is tried with ``fused=True`` and with ``foreach=True``.


def row(case):
    fused, foreach = (
        [one_step(kind, case, **o) for kind in OPTIMIZERS for _ in range(TRIES)]
        for o in ({"fused": True}, {"foreach": True})
    )
    found = {given for *_, given in fused}
    return {
        "case": case,
        "found": found.pop() if len(found) == 1 else -1,
        "fused_changed": sum(changed for changed, *_ in fused),
        "fused_lost": sum(lost for _, lost, *_ in fused),
        "foreach_changed": sum(changed for changed, *_ in foreach),
        "lowered": sum(lowered for *_, lowered, _ in fused),
    }


rows = [row(case) for case in CASES]
print(*rows, sep="\n")

# %%
# "Found" is the sum that the fused optimizers were given. The weights are lost if all of them are
# infinite or NaN.

measured = {
    "tries": TRIES * len(OPTIMIZERS),
    "by_case": {"table": rows},
}
