"""
A penalty on FP16 gradients vanishes
====================================

Does the penalty need autocast? Gradients of parameters and inputs in FP32 are FP32, so nothing
changes. The gradient of a layer's output under autocast is FP16: turn it into FP32 before you
unscale it, or it vanishes.
"""

# sphinx_gallery_quiet = "nothing"
import copy

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
torch.manual_seed(0)
first, last = torch.nn.Linear(64, 128).to(device), torch.nn.Linear(128, 1).to(device)
x, y = torch.randn(256, 64).to(device), torch.randn(256, 1).to(device)


def loss_of(weight, first=first, last=last, x=x, y=y):
    hidden = first(x)
    return hidden, weight * torch.nn.functional.mse_loss(last(hidden.tanh()), y)


with torch.autocast(device.type, torch.float16):
    hidden, loss = loss_of(1.0)
scaler = torch.amp.GradScaler(device.type)
grads = torch.autograd.grad(scaler.scale(loss), [hidden, first.weight])
print(f"output: {grads[0].dtype}, parameter: {grads[1].dtype}")

# %%
# These functions compute the penalty from scaled gradients of an output. The first is written as in
# PyTorch's notes.


def as_in_the_notes(grad, inverse):
    unscaled = grad * inverse
    with torch.autocast(device.type, torch.float16):
        return unscaled.pow(2).sum().sqrt()


def outside_autocast(grad, inverse):
    return (grad * inverse).pow(2).sum().sqrt()


def as_fp32(grad, inverse):
    unscaled = grad.float() * inverse
    with torch.autocast(device.type, torch.float16):
        return unscaled.pow(2).sum().sqrt()


# %%
# How large is the penalty, compared with that in FP64, and how far off is its derivative? The
# weight of the loss makes both smaller. Where a penalty has become zero, its derivative is not a
# number.

precise_first, precise_last = (
    copy.deepcopy(first).double(),
    copy.deepcopy(last).double(),
)
precise = precise_first, precise_last, x.double(), y.double()


def compare(way, weight):
    hidden, loss = loss_of(weight, *precise)
    (grad,) = torch.autograd.grad(loss, hidden, create_graph=True)
    (expected,) = torch.autograd.grad(grad.norm(), precise_first.weight)
    with torch.autocast(device.type, torch.float16):
        hidden, loss = loss_of(weight)
    (scaled,) = torch.autograd.grad(scaler.scale(loss), hidden, create_graph=True)
    penalty = way(scaled, 1 / scaler.get_scale())
    (got,) = torch.autograd.grad(scaler.scale(penalty), first.weight)
    off = (got / scaler.get_scale() - expected).norm() / expected.norm()
    finite = bool(got.isfinite().all())
    return {
        "penalty_ratio": penalty.item() / grad.norm().item(),
        "derivative_finite": finite,
        "derivative_error_share": off.item() if finite else 1.0,
    }


tables = {}
for way in (as_in_the_notes, outside_autocast, as_fp32):
    rows = [{"power": power, **compare(way, 10.0**-power)} for power in range(7)]
    tables[way.__name__] = {"table": rows}
    print(way.__name__, *rows, sep="\n")

types = {"output_type": str(grads[0].dtype), "parameter_type": str(grads[1].dtype)}
measured = {**types, **tables}
