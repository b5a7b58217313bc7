"""
One optimizer skips and the other steps
=======================================

What does one scaler do when the gradients of one of two optimizers overflow? That optimizer skips
its step, the other one steps, and the scale falls for both. Where the models share a loss, an
overflow usually reaches both, and both skip.
"""

# sphinx_gallery_quiet = "nothing"
import itertools

import torch

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
OUTLIER = 1e5  # beyond the range of FP16
SCALE, TRIES = 1024.0, 20


def attempt(shared, scalers=1, bad=OUTLIER):
    models = [torch.nn.Linear(32, 1).to(device) for _ in range(2)]
    optimizers = [torch.optim.SGD(model.parameters(), 0.01) for model in models]
    scalers = [torch.amp.GradScaler(device.type, SCALE) for _ in range(scalers)]
    before = [model.weight.detach().clone() for model in models]
    x, y = torch.randn(2, 64, 32, device=device)
    x[0, 0] = bad
    with torch.autocast(device.type, torch.float16):
        outputs = [models[0](x), models[1](y)]
        if shared:
            outputs = [outputs[0] + outputs[1], outputs[0] - outputs[1]]
        losses = [output.square().mean() for output in outputs]
    torch.autograd.backward([s.scale(loss) for s, loss in zip(scalers * 2, losses)])
    for scaler, optimizer in zip(scalers * 2, optimizers):
        scaler.step(optimizer)
    for scaler in scalers:
        scaler.update()
    stepped = [not torch.equal(m.weight, old) for m, old in zip(models, before)]
    finite = all(model.weight.isfinite().all().item() for model in models)
    fell = [scaler.get_scale() < SCALE for scaler in (scalers * 2)[:2]]
    return *stepped, finite, *fell


# %%
# The first model's batch has an outlier: the first output overflows in FP16. The models have a
# loss each, or both losses depend on both.

CASES = {
    "no outlier": {"shared": False, "bad": 1.0},
    "a loss each": {"shared": False},
    "shared losses": {"shared": True},
    "a scaler each": {"shared": False, "scalers": 2},
}
names = "first_stepped", "second_stepped", "finite", "first_fell", "second_fell"
rows = []
for case, settings in CASES.items():
    torch.manual_seed(0)
    tries = [attempt(**settings) for _ in range(TRIES)]
    totals = dict(zip(names, map(sum, zip(*tries))))
    rows.append({"case": case, **totals})
    print(rows[-1])

# %%
# How often are steps skipped in a long run? The scale grows until the gradients overflow, again
# and again. Each iteration trains both models, with one update at its end or one after each step.

INTERVAL, ITERATIONS = 50, 1000  # the default interval is 2000


def long_run(updates):
    torch.manual_seed(0)
    models = [torch.nn.Linear(32, 1).to(device) for _ in range(2)]
    optimizers = [torch.optim.SGD(model.parameters(), 0.01) for model in models]
    scaler = torch.amp.GradScaler(device.type, SCALE, growth_interval=INTERVAL)
    scales = [SCALE]
    for _ in range(ITERATIONS):
        for model, optimizer in zip(models, optimizers):
            optimizer.zero_grad()
            x, target = torch.randn(64, 33).to(device).split([32, 1], dim=1)
            with torch.autocast(device.type, torch.float16):
                loss = torch.nn.functional.mse_loss(model(x), target)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            if updates == 2:
                scaler.update()
        if updates == 1:
            scaler.update()
        scales.append(scaler.get_scale())
    falls = sum(later < earlier for earlier, later in itertools.pairwise(scales))
    return {"updates": updates, "falls": falls}


runs = [long_run(updates) for updates in (1, 2)]
print(*runs, sep="\n")

measured = {
    "tries": TRIES,
    "by_case": {"table": rows},
    "interval": INTERVAL,
    "default_interval": torch.amp.GradScaler(device.type).get_growth_interval(),
    "iterations": ITERATIONS,
    "long_runs": {"table": runs},
}
