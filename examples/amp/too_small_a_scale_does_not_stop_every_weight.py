"""
Too small a scale does not stop every weight
============================================

Do weights stay where they are if bad batches have made the scale too small? With plain SGD they
do. Momentum, Adam and weight decay move them although all gradients are zero. And a scale that
has become zero stays zero: good batches no longer double it.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch import nn

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
good = torch.linspace(0, 1, 64 * 8, device=device).view(64, 8)
bad = torch.full_like(good, torch.nan)


def train(model, scaler, optimizer, batches):
    for batch in batches:
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16):
            loss = nn.functional.mse_loss(model(batch), batch)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# %%
# Five good batches come first, so that optimizers have something to remember. After 40 bad ones,
# the gradients of good batches are zero. Momentum and Adam remember; AdamW without the five has
# nothing but its weight decay.

OPTIMIZERS = {
    "SGD": (5, lambda weights: torch.optim.SGD(weights, lr=0.1)),
    "momentum": (5, lambda weights: torch.optim.SGD(weights, lr=0.1, momentum=0.9)),
    "Adam": (5, torch.optim.Adam),
    "decay": (0, torch.optim.AdamW),
}


def outcome(name):
    first, make = OPTIMIZERS[name]
    torch.manual_seed(0)
    model = nn.Linear(8, 8).to(device)
    scaler, optimizer = torch.amp.GradScaler(device.type), make(model.parameters())
    train(model, scaler, optimizer, [good] * first)
    start = model.weight.detach().clone()
    train(model, scaler, optimizer, [bad] * 40)
    changed = (model.weight != start).sum().item()
    train(model, scaler, optimizer, [good] * 10)
    zeros = (model.weight.grad == 0).sum().item()
    moved = (model.weight != start).sum().item()
    return {"optimizer": name, "changed": changed, "zeros": zeros, "moved": moved}


table = [outcome(name) for name in OPTIMIZERS]
print(*table, sep="\n")

# %%
# The smallest scale above zero is 2 to the power of -149, after 165 bad batches. Each good batch
# gets a new model, and doubles the scale if it can.


def scale_before_and_after(bad_batches):
    scaler = torch.amp.GradScaler(device.type, growth_interval=1)
    scales = []
    for batches in ([bad] * bad_batches, [good] * 10):
        for batch in batches:
            model = nn.Linear(8, 8).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            train(model, scaler, optimizer, [batch])
        scales.append(scaler.get_scale())
    return scales


rises = scale_before_and_after(165)
stays = scale_before_and_after(170)
print(f"after 165 bad batches: {rises}, after 170: {stays}")

# %%
# "Changed" counts the weights that bad batches moved, "zeros" the gradients of the last good
# batch that are zero, "moved" the weights that good batches then moved.

measured = {
    "weights": 8 * 8,
    "by_optimizer": {"table": table},
    "grew_after_165": rises[1] / rises[0],
    "scale_after_170": stays[0],
    "scale_after_good_ones": stays[1],
}
