"""
Unscaling early spoils the sum
==============================

When do I unscale if I accumulate gradients? Once, after the last batch of the group. After an
earlier ``unscale_``, scaled gradients are added to unscaled ones, and no error is raised.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
GROUP, GROUPS, ROWS, TRIES = 4, 60, 32, 20
generator = torch.Generator().manual_seed(1)
x = torch.randn(GROUPS, GROUP, ROWS, 32, generator=generator).to(device)
y = torch.tanh(x[..., :8]).sum(-1, keepdim=True) / 10


def make_model(dtype=torch.float32):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    return torch.nn.Sequential(*layers).to(device, dtype)


# %%
# These functions run after each ``backward()``. The last also calls ``update``, and may therefore
# call ``unscale_`` again.


def before_the_step(scaler, optimizer, place):
    if place == GROUP - 1:
        scaler.unscale_(optimizer)


def after_the_first(scaler, optimizer, place):
    if place == 0:
        scaler.unscale_(optimizer)


def after_each(scaler, optimizer, _):
    scaler.unscale_(optimizer)


def after_each_with_update(scaler, optimizer, place):
    scaler.unscale_(optimizer)
    if place < GROUP - 1:
        scaler.update()


# %%
# What gradients does the optimizer get? They are compared with those of the whole group in FP64,
# and with those of the last batch alone.


def run(model, optimizer, scaler, unscale, group, low=True):
    for place in range(GROUP):
        with torch.autocast(device.type, torch.float16, enabled=low):
            loss = mse_loss(model(x[group, place]), y[group, place]) / GROUP
        scaler.scale(loss).backward()
        unscale(scaler, optimizer, place)
    scaler.step(optimizer)
    scaler.update()


def reference(rows, targets):
    model = make_model(torch.float64)
    mse_loss(model(rows.double()), targets.double()).backward()
    return torch.cat([p.grad.flatten() for p in model.parameters()])


def compare(unscale):
    errors, sizes, last_errors = [], [], []
    for group in range(TRIES):
        model = make_model()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
        run(model, optimizer, torch.amp.GradScaler(device.type), unscale, group)
        got = torch.cat([p.grad.double().flatten() for p in model.parameters()])
        whole = reference(x[group], y[group])
        last = reference(x[group, -1], y[group, -1]) / GROUP
        errors.append(((got - whole).norm() / whole.norm()).item())
        sizes.append((got.norm() / whole.norm()).item())
        last_errors.append(((got - last).norm() / last.norm()).item())
    return {
        "wrong": sum(error > 0.1 for error in errors),
        "least_size_ratio": min(sizes),
        "most_error_share": max(errors),
        "most_error_against_last_share": max(last_errors),
    }


# %%
# The same functions train a model with SGD. The reference trains it in FP32.


def train(unscale, low=True):
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    for group in range(GROUPS - 1):
        run(model, optimizer, scaler, unscale, group, low)
        optimizer.zero_grad()
    with torch.no_grad():
        return mse_loss(model(x[-1]), y[-1]).item()


full, rows = train(before_the_step, low=False), []
untrained = mse_loss(make_model()(x[-1]), y[-1]).item()
for way in (before_the_step, after_the_first, after_each_with_update):
    learns = 0.95 < train(way) / full < 1.05
    rows.append({"way": way.__name__, **compare(way), "learns": learns})
try:
    failure = compare(after_each)
except RuntimeError as error:
    failure = error

measured = {"tries": TRIES, "ways": {"table": rows}, "after_each": failure}
measured["untrained_ratio"] = untrained / full
print(measured)
