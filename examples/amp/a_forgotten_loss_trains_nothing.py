"""
A forgotten loss trains nothing
===============================

How does training go when one of two losses is not scaled? As if that loss did not exist. With both
scaled, FP16 with one scaler trains two networks as FP64 does.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
STEPS, RATE = 300, 0.0005
torch.manual_seed(0)
x = torch.rand(64, 32, dtype=torch.float64)
target = (x @ torch.randn(32, 1, dtype=torch.float64)).tanh()


def start(kind):
    torch.manual_seed(1)
    hidden = [(torch.nn.Linear(32, 64), torch.nn.Tanh()) for _ in "yz"]
    nets = [torch.nn.Sequential(*layers, torch.nn.Linear(64, 1)) for layers in hidden]
    return [net.to(device, kind) for net in nets]


# %%
# The loop of PyTorch's notes: two networks, two losses that share both, two optimizers, one
# scaler. What is done with the two losses is a parameter.


def train(backward, kind=torch.float32):
    nets = start(kind)
    optimizers = [torch.optim.SGD(net.parameters(), RATE) for net in nets]
    mixed = {"enabled": kind == torch.float32}
    scaler = torch.amp.GradScaler(device.type, **mixed)
    skipped = 0
    for _ in range(STEPS):
        with torch.autocast(device.type, torch.float16, **mixed):
            y, z = (net(x.to(device, kind)) for net in nets)
            wanted = target.to(device, kind)
            loss0 = mse_loss(2 * y + 3 * z, wanted)
            loss1 = mse_loss(3 * y - 5 * z, wanted)
        backward(scaler, loss0, loss1)
        scale = scaler.get_scale()
        for optimizer in optimizers:
            scaler.step(optimizer)
            optimizer.zero_grad()
        scaler.update()
        skipped += scaler.get_scale() < scale
    return loss0.item(), loss1.item(), skipped


def scale_both(scaler, loss0, loss1):
    scaler.scale(loss0).backward(retain_graph=True)
    scaler.scale(loss1).backward()


def forget_one(scaler, loss0, loss1):
    scaler.scale(loss0).backward(retain_graph=True)
    loss1.backward()


def leave_one_out(scaler, loss0, _):
    scaler.scale(loss0).backward()


# %%
# The reference is the same loop in FP64, where neither autocast nor the scaler does anything.

runs = {
    "fp64": train(scale_both, torch.float64),
    "both scaled": train(scale_both),
    "one forgotten": train(forget_one),
    "one left out": train(leave_one_out),
}
names = "first_loss", "second_loss", "skipped"
rows = [{"run": run, **dict(zip(names, values))} for run, values in runs.items()]
print(*rows, sep="\n")

# %%
# Why does the first of two backward passes keep the graph? Both losses share it. The scaler has
# nothing to do with that: without it, and without autocast, the second pass raises the same error.


def second_pass(scaled):
    y, z = (net(x.to(device, torch.float32)) for net in start(torch.float32))
    scaler = torch.amp.GradScaler(device.type, enabled=scaled)
    both = (2 * y + 3 * z).square().mean(), (3 * y - 5 * z).square().mean()
    try:
        for loss in both:
            scaler.scale(loss).backward()
    except RuntimeError as error:
        return error
    return "runs"


errors = [second_pass(scaled) for scaled in (True, False)]
print(errors[0])

measured = {
    "steps": STEPS,
    "runs": {"table": rows},
    "second_pass_error": errors[0],
    "same_without_scaler": str(errors[0]) == str(errors[1]),
}
