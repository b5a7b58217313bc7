"""
The scale must last for the group
=================================

What if the scale changes while gradients accumulate? The earlier gradients then count for too much
or too little, and no error is raised. Update once for each group.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
GROUP, TRIES = 4, 10
generator = torch.Generator().manual_seed(1)
x = torch.randn(TRIES, GROUP, 32, 32, generator=generator).to(device)
y = torch.tanh(x[..., :8]).sum(-1, keepdim=True) / 10


def start(seed=0, **options):
    torch.manual_seed(seed)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    model = torch.nn.Sequential(*layers).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    return model, optimizer, torch.amp.GradScaler(device.type, **options)


def backward(model, scaler, x, y):
    with torch.autocast(device.type, torch.float16):
        loss = mse_loss(model(x), y) / GROUP
    scaler.scale(loss).backward()


def flat(model):
    return torch.cat([p.grad.double().flatten() for p in model.parameters()])


# %%
# These functions run between the batches of a group. In the last two, another model trains on every
# batch. Its second target is so large that its gradients overflow, and its scale falls.


def nothing(*_):
    pass


def set_the_scale(scaler, _, place):
    if place == 1:
        scaler.update(new_scale=2.0**12)


def train_another(model, optimizer, scaler, place):
    backward(model, scaler, x[0, 0], y[0, 0] + 1e4 * (place == 1))
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()


def share_the_scaler(scaler, other, place):
    train_another(*other[:2], scaler, place)


def use_two_scalers(_, other, place):
    train_another(*other, place)


# %%
# What gradients does the optimizer get? They are compared with those of the whole group in FP64.


def compare(between):
    errors = []
    for x_group, y_group in zip(x, y):
        model, optimizer, scaler = start()
        other = start(seed=1)
        for place in range(GROUP):
            backward(model, scaler, x_group[place], y_group[place])
            between(scaler, other, place)
        scaler.step(optimizer)
        scaler.update()
        got = flat(model)
        model.double().zero_grad()
        mse_loss(model(x_group.double()), y_group.double()).backward()
        errors.append(((got - flat(model)).norm() / flat(model).norm()).item())
    wrong = sum(error > 0.1 for error in errors)
    return {
        "wrong": wrong,
        "least_error_share": min(errors),
        "most_error_share": max(errors),
    }


ways = (nothing, set_the_scale, share_the_scaler, use_two_scalers)
rows = [{"way": way.__name__, **compare(way)} for way in ways]

# %%
# To the scaler, a group is one step. An overflow in one batch skips the whole group, and halves the
# scale once. The scale then grows after a number of groups, not of batches.

model, optimizer, scaler = start(growth_interval=3)
scales = []
for group in range(7):
    for place in range(GROUP):
        backward(model, scaler, x[0, place], y[0, place] + 1e5 * (group == place == 0))
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    scales.append(f"{scaler.get_scale():.0f}")

measured = {"tries": TRIES, "ways": {"table": rows}, "scales": " ".join(scales)}
print(measured)
