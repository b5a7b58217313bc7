"""
A scaled penalty matches FP64
=============================

How do I write a gradient penalty with a gradient scaler? Scale the loss for ``autograd.grad``,
unscale the gradients before you compute the penalty, and scale the sum of loss and penalty.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
model = torch.nn.Linear(64, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device.type)
x, y = torch.randn(256, 64).to(device), torch.zeros(256, 1, device=device)

with torch.autocast(device.type, torch.float16):
    loss = torch.nn.functional.mse_loss(model(x), y)
scaled = torch.autograd.grad(scaler.scale(loss), model.parameters(), create_graph=True)
grads = [grad / scaler.get_scale() for grad in scaled]
with torch.autocast(device.type, torch.float16):
    penalty = sum(grad.pow(2).sum() for grad in grads).sqrt()
    total = loss + 0.1 * penalty
scaler.scale(total).backward()
scaler.step(optimizer)
scaler.update()
print(f"penalty: {penalty:.3f}")

# %%
# A model with two hidden layers gets the same penalty in FP64, in FP32 and in mixed precision, also
# in wrong forms. The loss is multiplied by a weight, which makes its gradients smaller.

ROWS, TRIES, POWERS = 512, 20, 10
generator = torch.Generator().manual_seed(1)
x = torch.randn(ROWS, 64, generator=generator).to(device)
y = torch.sin(3 * x[:, :1])


def make_model(dtype):
    torch.manual_seed(0)
    first, second, last = (
        torch.nn.Linear(*sizes) for sizes in ((64, 128), (128, 128), (128, 1))
    )
    layers = first, torch.nn.Tanh(), second, torch.nn.Tanh(), last
    return torch.nn.Sequential(*layers).to(device, dtype)


# %%
# A step that the scaler skips is tried again at the lower scale, as in training. If no step is
# taken, the gradients count as zero.


def gradients(weight, way="right", low=True, dtype=torch.float32, scale=2.0**16):
    model = make_model(dtype)
    parameters = [*model.parameters()]
    optimizer, taken = torch.optim.SGD(parameters, lr=0.0), []
    optimizer.register_step_post_hook(lambda *_: taken.append(True))
    scaler = torch.amp.GradScaler(device.type, scale, enabled=low)
    attempts = 0
    while not taken and attempts < TRIES:
        attempts += 1
        optimizer.zero_grad()
        with torch.autocast(device.type, torch.float16, enabled=low):
            loss = weight * torch.nn.functional.mse_loss(
                model(x.to(dtype)), y.to(dtype)
            )
        outputs = loss if way == "outputs_not_scaled" else scaler.scale(loss)
        with torch.autocast(
            device.type, torch.float16, enabled=way == "backward_in_autocast"
        ):
            grads = torch.autograd.grad(outputs, parameters, create_graph=True)
        if way not in ("outputs_not_scaled", "not_unscaled"):
            grads = [grad / scaler.get_scale() for grad in grads]
        inside = low and way != "penalty_outside"
        with torch.autocast(device.type, torch.float16, enabled=inside):
            penalty = sum(grad.pow(2).sum() for grad in grads).sqrt()
            total = loss + penalty
        (total if way == "total_not_scaled" else scaler.scale(total)).backward()
        scaler.step(optimizer)
        scaler.update()
    flat = torch.cat([p.grad.double().flatten() for p in parameters])
    return penalty.item(), flat if taken else torch.zeros_like(flat), attempts


def compare(weight, **options):
    expected, reference, _ = gradients(weight, low=False, dtype=torch.float64)
    penalty, got, tries = gradients(weight, **options)
    error = (got - reference).norm() / reference.norm()
    numbers = {"penalty_ratio": penalty / expected, "error_share": error.item()}
    return got, {**numbers, "steps_tried": tries}


# %%
# All forms are compared at one weight, and two of them at each.

WRONG = ("not_unscaled", "outputs_not_scaled", "total_not_scaled")
right, _ = compare(1e-2)
forms, by_weight = [{"form": "fp32", **compare(1e-2, low=False)[1], "same": False}], []
for form in ("right", "penalty_outside", "backward_in_autocast", *WRONG):
    got, numbers = compare(1e-2, way=form)
    forms.append({"form": form, **numbers, "same": got.equal(right)})
for power in range(POWERS):
    row = {"power": power, "weight": (weight := 10.0**-power)}
    for form in ("right", "outputs_not_scaled"):
        row |= {f"{form}_{name}": n for name, n in compare(weight, way=form)[1].items()}
    by_weight.append(row)
_, larger_scale = compare(10.0 ** (1 - POWERS), scale=2.0**36)
print(*forms, *by_weight, larger_scale, sep="\n")

measured = {
    "tries": TRIES,
    "forms": {"table": forms},
    "by_weight": {"table": by_weight},
    "larger_scale_error_share": larger_scale["error_share"],
}
