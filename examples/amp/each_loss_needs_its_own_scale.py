"""
Each loss needs its own scale
=============================

Which gradients does a loss give that I forget to scale? They come out as many times too small as
the scale is large, and no error says so. Scale each loss once, or scale their sum.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import mse_loss

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
models = [torch.nn.Linear(32, 1).to(device) for _ in range(2)]
optimizers = [torch.optim.SGD(model.parameters(), 0.01) for model in models]
scaler = torch.amp.GradScaler(device.type)
x, target = torch.rand(64, 32, device=device), torch.rand(64, 1, device=device)

with torch.autocast(device.type, torch.float16):
    y, z = (model(x) for model in models)
    loss0, loss1 = mse_loss(2 * y + 3 * z, target), mse_loss(3 * y - 5 * z, target)
scaler.scale(loss0).backward(retain_graph=True)  # each loss
scaler.scale(loss1).backward()
for optimizer in optimizers:
    scaler.step(optimizer)  # each optimizer
scaler.update()  # once, at the end
print(f"losses {loss0:.3f} and {loss1:.3f}, scale {scaler.get_scale():.0f}")

# %%
# Right: each loss is scaled once, one after the other, in a list, or as a sum.


def each(scaler, loss0, loss1):
    scaler.scale(loss0).backward(retain_graph=True)
    scaler.scale(loss1).backward()


def as_a_list(scaler, loss0, loss1):
    torch.autograd.backward(scaler.scale([loss0, loss1]))


def as_a_sum(scaler, loss0, loss1):
    scaler.scale(loss0 + loss1).backward()


# %%
# Wrong: the second loss is not scaled, or it is scaled twice.


def one_forgotten(scaler, loss0, loss1):
    scaler.scale(loss0).backward(retain_graph=True)
    loss1.backward()


def one_twice(scaler, loss0, loss1):
    scaler.scale(loss0).backward(retain_graph=True)
    scaler.scale(scaler.scale(loss1)).backward()


# %%
# Two networks share both losses, as in PyTorch's notes. The first loss is multiplied by zero, so
# that only the second one gives gradients. The scale is small enough that even its square
# overflows nowhere. The reference has no autocast, and FP64.

SCALE = 64.0
torch.manual_seed(0)
x, target = (
    torch.rand(64, 32, dtype=torch.float64),
    torch.rand(64, 1, dtype=torch.float64),
)


def gradients(way, kind=torch.float32):
    torch.manual_seed(1)
    hidden = [(torch.nn.Linear(32, 64), torch.nn.Tanh()) for _ in "yz"]
    nets = [torch.nn.Sequential(*layers, torch.nn.Linear(64, 1)) for layers in hidden]
    nets = torch.nn.ModuleList(nets).to(device, kind)
    scaler = torch.amp.GradScaler(device.type, SCALE, enabled=way is not None)
    with torch.autocast(device.type, torch.float16, enabled=way is not None):
        y, z = (net(x.to(device, kind)) for net in nets)
        wanted = target.to(device, kind)
        loss0, loss1 = mse_loss(2 * y + 3 * z, wanted), mse_loss(3 * y - 5 * z, wanted)
    (way or as_a_sum)(scaler, 0 * loss0, loss1)
    scaler.unscale_(torch.optim.SGD(nets.parameters()))
    return [parameter.grad.double() for parameter in nets.parameters()]


# %%
# How many tensors of gradients are wrong, and how large are they?

WRONG = 0.01  # of the norm of a tensor
reference = gradients(None, torch.float64)
size = torch.cat([tensor.flatten() for tensor in reference]).norm()
rows = []
for way in (each, as_a_list, as_a_sum, one_forgotten, one_twice):
    given = gradients(way)
    errors = [((a - b).norm() / b.norm()).item() for a, b in zip(given, reference)]
    norm = torch.cat([tensor.flatten() for tensor in given]).norm()
    rows.append({"way": way.__name__, "wrong": sum(e > WRONG for e in errors)})
    rows[-1] |= {"size_ratio": (norm / size).item(), "error_share": max(errors)}
    print(rows[-1])

measured = {"scale": int(SCALE), "tensors": len(reference), "by_way": {"table": rows}}
