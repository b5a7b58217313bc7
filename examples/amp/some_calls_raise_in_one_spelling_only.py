"""
Some calls of the scaler raise in one spelling only
===================================================

Can you rely on the scaler's errors? A closure, a step without gradients and an update without a
step raise in one spelling and pass in another, in which the step is wrong or is not taken.
"""

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
        [{"params": p} for p in model.parameters()], 0.1
    ),
}

# %%
# Each text below is run with each optimizer, after one scaled backward pass. A closure computes the
# gradients anew, as for L-BFGS: with the scaler, or without it.

CALLS = {
    "right": "scaler.step(optimizer)",
    "a closure by keyword": "scaler.step(optimizer, closure=scaled)",
    "a closure by position": "scaler.step(optimizer, scaled)",
    "a closure without the scaler": "scaler.step(optimizer, plain)",
    "no gradients": "optimizer.zero_grad(); scaler.step(optimizer)",
    "no gradients, update": "optimizer.zero_grad(); scaler.step(optimizer); scaler.update()",
    "update alone": "scaler.update()",
    "update after unscale_": "scaler.unscale_(optimizer); scaler.update()",
}


def closure_of(model, optimizer, scale, dtype=torch.float16):
    def closure():
        optimizer.zero_grad()
        with torch.autocast(device, dtype):
            loss = mse_loss(model(x), y)
        scale(loss).backward()
        return loss

    return closure


def attempt(kind, calls):
    torch.manual_seed(0)
    model = torch.nn.Linear(16, 1).to(device)
    optimizer, scaler = KINDS[kind](model), torch.amp.GradScaler(device, 1024.0)
    names = {"scaled": closure_of(model, optimizer, scaler.scale)}
    names["plain"] = closure_of(model, optimizer, lambda loss: loss)
    names["scaled"]()
    begin, gradient = model.weight.detach().clone(), model.weight.grad / 1024
    try:
        exec(calls, names | {"optimizer": optimizer, "scaler": scaler})
        error = "none"
    except Exception as raised:
        error = raised
    step = begin - model.weight.detach()
    return error, (step.norm() / gradient.norm()).item()


# %%
# How long is the step, as a multiple of the right one of the same optimizer?

rows = []
for kind in KINDS:
    _, right = attempt(kind, CALLS["right"])
    for case, calls in CALLS.items():
        error, step = attempt(kind, calls)
        row = {"case": case, "optimizer": kind, "error": error}
        rows.append(row | {"step_ratio": step / right})
        print(rows[-1])

# %%
# The scaler looks for infinities before the closure runs: does one of the closure's gradients reach
# the weights?


def broken(kind):
    model = torch.nn.Linear(16, 1).to(device)
    optimizer, scaler = KINDS[kind](model), torch.amp.GradScaler(device, 1024.0)
    scaled = closure_of(model, optimizer, scaler.scale)
    scaled()
    scaler.step(optimizer, lambda: (scaled(), model.weight.grad.fill_(torch.inf))[0])
    return not model.weight.isfinite().all().item()


# %%
# L-BFGS always takes a closure. With a scaler, its first step raises; in BF16, it needs none.

torch.manual_seed(0)
model = torch.nn.Linear(16, 1).to(device)
optimizer, scaler = LBFGS(model.parameters()), torch.amp.GradScaler(device)
try:
    error = scaler.step(optimizer, closure_of(model, optimizer, scaler.scale))
except AssertionError as raised:
    error = raised
closure = closure_of(model, optimizer, lambda loss: loss, torch.bfloat16)
losses = [optimizer.step(closure).item() for _ in range(5)]
print(f"L-BFGS in BF16: {losses[0]:.2g} to {losses[-1]:.2g}")

measured = {
    "spellings": {"table": rows},
    "kinds": len(KINDS),
    "broken": sum(map(broken, KINDS)),
    "of_lbfgs": error,
    "lbfgs_learned": losses[-1] < losses[0] / 10,
}
