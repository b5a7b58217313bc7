"""
A closure by position passes the scaler
=======================================

May you pass a closure to ``scaler.step``? By keyword, it raises an error. By position, it does not:
the closure's gradients are never checked, and only a fused optimizer divides them by the scale.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss
from torch.optim import LBFGS, SGD, AdamW

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
# A closure computes the gradients anew: here, with the scale or without it.


def closure_of(model, optimizer, scale, dtype=torch.float16):
    def closure():
        optimizer.zero_grad()
        with torch.autocast(device, dtype):
            loss = mse_loss(model(x), y)
        scale(loss).backward()
        return loss

    return closure


# %%
# Each text below is run with each optimizer, after one scaled backward pass. How long is its step?

CALLS = {
    "right": "scaler.step(optimizer)",
    "keyword": "scaler.step(optimizer, closure=scaled)",
    "scaled": "scaler.step(optimizer, scaled)",
    "plain": "scaler.step(optimizer, plain)",
    "infinite": "scaler.step(optimizer, infinite)",
}


def attempt(kind, calls):
    torch.manual_seed(0)
    model = torch.nn.Linear(16, 1).to(device)
    optimizer, scaler = KINDS[kind](model), torch.amp.GradScaler(device, 1024.0)
    names = {"scaled": closure_of(model, optimizer, scaler.scale)}
    names["plain"] = closure_of(model, optimizer, lambda loss: loss)
    names["infinite"] = closure_of(model, optimizer, lambda loss: loss * torch.inf)
    names["scaled"]()
    begin, error = model.weight.detach().clone(), None
    try:
        exec(calls, names | {"optimizer": optimizer, "scaler": scaler})
    except RuntimeError as raised:
        error = raised
    return error, model.weight.detach() - begin


# %%
# Steps are compared with the right one of the same optimizer.

rows, errors, broken = [], [], 0
for kind in KINDS:
    right, row = attempt(kind, CALLS["right"])[1], {"optimizer": kind}
    for closure in ("scaled", "plain"):
        error, step = attempt(kind, CALLS[closure])
        errors += [error] if error else []
        row[f"{closure}_ratio"] = (step.norm() / right.norm()).item()
    broken += not attempt(kind, CALLS["infinite"])[1].isfinite().all().item()
    rows.append(row)
    print(row)
by_keyword = [attempt(kind, CALLS["keyword"])[0] for kind in KINDS]

# %%
# L-BFGS always takes a closure. With a scaler, its first step raises; in BF16, it needs none.

torch.manual_seed(0)
model = torch.nn.Linear(16, 1).to(device)
optimizer, scaler = LBFGS(model.parameters()), torch.amp.GradScaler(device)
try:
    of_lbfgs = scaler.step(optimizer, closure_of(model, optimizer, scaler.scale))
except AssertionError as raised:
    of_lbfgs = raised
closure = closure_of(model, optimizer, lambda loss: loss, torch.bfloat16)
losses = [optimizer.step(closure).item() for _ in range(5)]
print(f"L-BFGS in BF16: {losses[0]:.2g} to {losses[-1]:.2g}")

measured = {
    "steps": {"table": rows},
    "raised": len(errors),
    "raised_by_keyword": sum(error is not None for error in by_keyword),
    "kinds": len(KINDS),
    "broken": broken,
    "of_lbfgs": of_lbfgs,
    "lbfgs_learned": losses[-1] < losses[0] / 10,
}
