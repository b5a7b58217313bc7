"""
Some calls of the scaler raise in one spelling only
===================================================

Can you rely on the errors of the scaler? A step without gradients raises unless the optimizer is
fused, and an update without a step raises unless gradients were unscaled. No step is taken.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss
from torch.optim import SGD, AdamW

device = "cuda"
torch.manual_seed(0)
x = torch.randn(64, 16, device=device)
y = x[:, :1] / 4
KINDS = {
    "SGD": lambda model: SGD(model.parameters(), lr=0.1),
    "fused SGD": lambda model: SGD(model.parameters(), lr=0.1, fused=True),
    "AdamW": lambda model: AdamW(model.parameters(), lr=0.1),
    "fused AdamW": lambda model: AdamW(model.parameters(), lr=0.1, fused=True),
    "SGD, two groups": lambda model: SGD(
        [{"params": p} for p in model.parameters()], lr=0.1
    ),
}

# %%
# Each text below is run with each optimizer, after one scaled backward pass.

CALLS = {
    "right": "scaler.step(optimizer); scaler.update()",
    "no gradients": "optimizer.zero_grad(); scaler.step(optimizer)",
    "no gradients, update": (
        "optimizer.zero_grad(); scaler.step(optimizer); scaler.update()"
    ),
    "update alone": "scaler.update()",
    "update after unscale_": "scaler.unscale_(optimizer); scaler.update()",
}


def attempt(kind, calls):
    torch.manual_seed(0)
    model = torch.nn.Linear(16, 1).to(device)
    optimizer, scaler = KINDS[kind](model), torch.amp.GradScaler(device, 1024.0)
    with torch.autocast(device, torch.float16):
        loss = mse_loss(model(x), y)
    scaler.scale(loss).backward()
    begin, error = model.weight.detach().clone(), None
    try:
        exec(calls, {"optimizer": optimizer, "scaler": scaler})
    except Exception as raised:
        error = raised
    return error, not model.weight.equal(begin)


# %%
# With how many optimizers does a call raise, and with how many do the weights move?

rows = []
for case, calls in CALLS.items():
    row = {"case": case, "fused_raised": 0, "others_raised": 0, "moved": 0}
    for kind in KINDS:
        error, moved = attempt(kind, calls)
        row["fused_raised" if "fused" in kind else "others_raised"] += error is not None
        row["moved"] += moved
        print(f"{case}, {kind}: {error}")
    rows.append(row)

measured = {
    "cases": {"table": rows},
    "fused": sum("fused" in kind for kind in KINDS),
    "others": sum("fused" not in kind for kind in KINDS),
    "kinds": len(KINDS),
}
