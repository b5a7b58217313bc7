"""
The scaler accepts one order of calls
=====================================

Which mistakes with several optimizers does ``GradScaler`` report? It reports calls that are
repeated or missing. It does not notice an optimizer that is left out, stepped without it, or given
a parameter of another one.
"""

# sphinx_gallery_quiet = "nothing"
import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
SCALE, RATE = 1024.0, 0.5

# %%
# Each text below is run after the same beginning: two models, an optimizer for each, one scaler,
# and gradients of two scaled losses.


def prepare():
    torch.manual_seed(0)
    models = [torch.nn.Linear(32, 1).to(device) for _ in range(2)]
    one, other = [torch.optim.SGD(model.parameters(), RATE) for model in models]
    both = torch.optim.SGD([p for m in models for p in m.parameters()], RATE)
    scaler = torch.amp.GradScaler(device.type, SCALE)
    x = torch.rand(64, 32, device=device)
    with torch.autocast(device.type, torch.float16):
        losses = [model(x).square().mean() for model in models]
    torch.autograd.backward(scaler.scale(losses))
    names = {"one": one, "other": other, "both": both, "scaler": scaler}
    return models, names | {"new": torch.amp.GradScaler(device.type)}


def error_of(calls):
    try:
        exec(calls, prepare()[1])
    except Exception as error:
        return error
    return "no error"


# %%
# Reported: something is called twice, too late, or not at all.

REPORTED = {
    "unscaled twice": "scaler.unscale_(one); scaler.unscale_(one)",
    "unscaled after step": "scaler.step(one); scaler.unscale_(one)",
    "stepped twice": "scaler.step(one); scaler.step(one)",
    "updated twice": "scaler.step(one); scaler.update(); scaler.update()",
    "updated without step": "scaler.update()",
    "no gradients": "other.zero_grad(); scaler.step(other)",
    "step without scale": "new.step(one)",
    "unscaling without scale": "new.unscale_(one)",
    "update without scale": "new.update()",
    "with a closure": "scaler.step(one, closure=print)",
}
reported = [
    {"mistake": mistake, "calls": calls, "error": error_of(calls)}
    for mistake, calls in REPORTED.items()
]
for row in reported:
    print(f"{row['calls']}\n    {type(row['error']).__name__}: {row['error']}")

# %%
# Not reported: how large is the step of the second model, as a multiple of the right one?

SILENT = {
    "none": "scaler.step(one); scaler.step(other); scaler.update()",
    "left out": "scaler.step(one); scaler.update()",
    "stepped alone": "scaler.step(one); other.step(); scaler.update()",
    "shared": "scaler.step(other); scaler.step(both); scaler.update()",
    "shared, without a scaler": (
        "scaler.unscale_(other); other.step(); scaler.unscale_(one); both.step()"
    ),
}


def step_ratio(calls):
    models, names = prepare()
    before = models[1].weight.detach().clone()
    gradient = models[1].weight.grad / SCALE
    exec(calls, names)
    step = before - models[1].weight.detach()
    return ((step * gradient).sum() / gradient.square().sum() / RATE).item()


silent = [
    {"mistake": mistake, "calls": calls, "step_ratio": step_ratio(calls)}
    for mistake, calls in SILENT.items()
]
print(*silent, sep="\n")

# %%
# An optimizer that is left out is not checked either: do its infinities lower the scale?


def scale_falls(calls):
    models, names = prepare()
    models[1].weight.grad.fill_(torch.inf)
    exec(calls, names)
    return names["scaler"].get_scale() < SCALE


measured = {
    "reported": {"table": reported},
    "silent": {"table": silent},
    "falls_if_both_step": scale_falls(SILENT["none"]),
    "falls_if_one_steps": scale_falls(SILENT["left out"]),
}
