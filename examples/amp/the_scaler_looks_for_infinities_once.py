"""
The scaler looks for infinities once
====================================

May I change the gradients after ``unscale_``? Yes, but the scaler has already decided whether to
skip the step. An infinity that you make later reaches the weights, and a gradient that you repair
later is still skipped.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.utils import clip_grad_norm_

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")


def backward(model, scaler, seed=0):
    x = torch.randn(256, 64, generator=torch.Generator().manual_seed(seed)).to(device)
    with torch.autocast(device.type, torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), torch.zeros_like(x[:, :1]))
    scaler.scale(loss).backward()


# %%
# In each try, the gradients are finite or infinite before they are unscaled, and something may be
# done to them before or after.

TRIES = 20


def nothing(_):
    pass


def spoil(model):
    model.weight.grad[0, 0] = torch.inf


def repair(model):
    for p in model.parameters():
        p.grad.nan_to_num_(0, 0, 0)


def spoil_and_repair(model):
    spoil(model)
    repair(model)


def clip(model):
    clip_grad_norm_(model.parameters(), 1.0)


# %%
# Was the step skipped, are the weights finite, and has the scale been lowered?


def count(before, after, **options):
    skipped = broken = lowered = 0
    for seed in range(TRIES):
        torch.manual_seed(seed)
        model = torch.nn.Linear(64, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, **options)
        scaler = torch.amp.GradScaler(device.type)
        weights = model.weight.detach().clone()
        backward(model, scaler, seed)
        before(model)
        scaler.unscale_(optimizer)
        after(model)
        scaler.step(optimizer)
        scaler.update()
        skipped += model.weight.equal(weights)
        broken += not bool(model.weight.isfinite().all())
        lowered += scaler.get_scale() < 2.0**16
    return {"skipped": skipped, "broken": broken, "lowered": lowered}


WAYS = {
    "finite": (nothing, nothing),
    "spoiled_before": (spoil, nothing),
    "spoiled_then_clipped": (spoil, clip),
    "spoiled_after": (nothing, spoil),
    "repaired_before": (spoil_and_repair, nothing),
    "repaired_after": (spoil, repair),
}
tables = {}
for kind, options in (("sgd", {}), ("fused_sgd", {"fused": True})):
    rows = [{"way": way, **count(*both, **options)} for way, both in WAYS.items()]
    tables[kind] = {"table": rows}
    print(kind, *rows, sep="\n")

# %%
# ``clip_grad_norm_`` can raise an error for an infinite norm. With a scaler, an overflow then ends
# the program, which would otherwise skip the step.

model = torch.nn.Linear(64, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device.type)
backward(model, scaler)
spoil(model)
scaler.unscale_(optimizer)
try:
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    failure = None
except RuntimeError as error:
    failure = error
print(failure)

measured = {"tries": TRIES, **tables, "clip_checked": failure}
