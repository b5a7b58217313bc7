"""
A large scale looks like a mistake
==================================

Are infinite gradients in the first steps a mistake of mine? Not if the same step without a scale
has finite ones: then the scale is too large, and the scaler lowers it.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
layers = torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 8)
model = torch.nn.Sequential(*layers).to(device)
x = torch.randn(256, 64, device=device)

for scale in (2.0**16, 1.0):
    with torch.autocast(device.type, torch.float16):
        loss = torch.nn.functional.mse_loss(model(x), x[:, :8], reduction="sum")
    (loss * scale).backward()
    gradients = [p.grad for p in model.parameters()]
    bad = sum(not gradient.isfinite().all() for gradient in gradients)
    model.zero_grad()
    print(f"scale {scale:.0f}: {bad} of {len(gradients)} gradients are not finite")

# %%
# The same model is trained with a scaler, once as usual and once under anomaly mode, which is
# also tried without a scaler, in BF16, and once the scale has come down.

import warnings
from copy import deepcopy
from itertools import pairwise

STEPS = 40
FP16, BF16 = torch.float16, torch.bfloat16


def new_scaler(enabled=True):
    return torch.amp.GradScaler(device.type, enabled=enabled)


def step(model, optimizer, scaler, dtype):
    with torch.autocast(device.type, dtype):
        loss = torch.nn.functional.mse_loss(model(x), x[:, :8], reduction="sum")
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return loss.item()


def train(scaler, dtype=FP16, settle=0, anomaly=False):
    """Losses and scales of the steps; the first ones are without anomaly mode."""
    trained = deepcopy(model)
    optimizer = torch.optim.SGD(trained.parameters(), lr=1e-4)
    arguments = trained, optimizer, scaler, dtype
    history = [(step(*arguments), scaler.get_scale()) for _ in range(settle)]
    with torch.autograd.set_detect_anomaly(anomaly):
        for _ in range(STEPS - settle):
            history.append((step(*arguments), scaler.get_scale()))
    return history


def outcome(**options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # anomaly mode warns that it is on
        try:
            return train(anomaly=True, **options)[-1][0] < history[0][0]
        except RuntimeError as error:
            print(error)
            return error


# %%
# As usual, the first steps are skipped. Under anomaly mode, the first of them is an error.

history = train(new_scaler())
scales = [2.0**16, *(scale for _, scale in history)]
skipped = sum(after < before for before, after in pairwise(scales))
print(f"{skipped} steps skipped, scale {scales[-1]:.0f}, loss {history[-1][0]:.0f}")

at_first = outcome(scaler=new_scaler())
others = {
    "settled": outcome(scaler=new_scaler(), settle=skipped),
    "unscaled": outcome(scaler=new_scaler(enabled=False)),
    "bf16": outcome(scaler=new_scaler(enabled=False), dtype=BF16),
}
print(others)

measured = {
    "gradients": len(gradients),
    "bad_without_scale": bad,
    "steps": STEPS,
    "skipped": skipped,
    "at_first": at_first,
    "others": len(others),
    "trained": sum(result is True for result in others.values()),
}
