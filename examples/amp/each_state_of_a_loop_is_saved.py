"""
Each state of a loop is saved
=============================

What belongs in the checkpoint of a whole loop? Model, optimizer, scheduler, scaler, the average of
the weights, and what random numbers follow from. With all of them, the resumed run has the same
weights bit for bit. Each that is left out changes something.
"""

# sphinx_gallery_quiet = "nothing"
import io

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")

# %%
# A run is what it consists of. Dropout and the choice of rows draw random numbers.

STEPS, SAVED_AFTER = 80, 50
torch.manual_seed(0)
x = torch.randn(2048, 16, device=device)
y = 100 * x[:, :4].sum(1, keepdim=True).tanh()


def new_run(optimizer_of):
    torch.manual_seed(1)
    layers = nn.Linear(16, 64), nn.Tanh(), nn.Dropout(0.1), nn.Linear(64, 1)
    model = nn.Sequential(*layers).to(device)
    optimizer = optimizer_of(model.parameters())
    return {
        "model": model,
        "optimizer": optimizer,
        "scheduler": CosineAnnealingLR(optimizer, STEPS),
        "scaler": torch.amp.GradScaler(device.type, growth_interval=20),
        "average": AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9)),
    }


# %%
# The loop. Its random numbers follow from the number of the step, or from those before.


def train(run, steps, seeded=True):
    model, optimizer, scheduler, scaler, average = run.values()
    skipped = 0
    for step in steps:
        if seeded:
            torch.manual_seed(step)
        optimizer.zero_grad()
        for rows in torch.randint(len(x), (2, 64)).to(device):
            with torch.autocast(device.type, dtype=torch.float16):
                loss = nn.functional.mse_loss(model(x[rows]), y[rows])
            scaler.scale(loss / 2).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        scaler.step(optimizer)
        scale = scaler.get_scale()
        scaler.update()
        if scaler.get_scale() >= scale:
            scheduler.step()
            average.update_parameters(model)
        else:
            skipped += 1
    return skipped


def differing(one, other, part):
    """The share of numbers that differ in any bit."""
    pairs = zip(one[part].parameters(), other[part].parameters())
    return torch.cat([(a != b).flatten() for a, b in pairs]).double().mean().item()


# %%
# A run is saved after some steps. Others resume from there, without one of the states each.

OPTIMIZERS = {
    "sgd": lambda weights: torch.optim.SGD(weights, lr=0.001, momentum=0.9),
    "adamw": lambda weights: torch.optim.AdamW(weights, lr=0.01),
    "fused_adamw": lambda weights: torch.optim.AdamW(weights, lr=0.01, fused=True),
}
LEFT_OUT = "nothing", "optimizer", "scheduler", "scaler", "average", "random numbers"


def resume(make, left_out):
    seeded, file, whole = left_out != "random numbers", io.BytesIO(), new_run(make)
    train(whole, range(SAVED_AFTER), seeded)
    torch.save({name: part.state_dict() for name, part in whole.items()}, file)
    train(whole, range(SAVED_AFTER, STEPS), seeded)
    file.seek(0)
    resumed = new_run(make)
    for name, state in torch.load(file).items():
        if name != left_out:
            resumed[name].load_state_dict(state)
    skipped = train(resumed, range(SAVED_AFTER, STEPS), seeded)
    return {
        "weights_differ_share": differing(whole, resumed, "model"),
        "average_differs_share": differing(whole, resumed, "average"),
        "skipped": skipped,
    }


measured = {"steps": STEPS, "saved_after": SAVED_AFTER}
for name, make in OPTIMIZERS.items():
    rows = [{"left_out": part, **resume(make, part)} for part in LEFT_OUT]
    measured[name] = {"table": rows}
    print(name, *rows, sep="\n")
