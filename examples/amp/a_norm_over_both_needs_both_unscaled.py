"""
A norm over both needs both unscaled
====================================

May I unscale the gradients of one optimizer only? Yes, if you look at its gradients alone: the
next step unscales the others. A norm over both optimizers needs both unscaled first.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.utils import clip_grad_norm_

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
RATE, LIMIT, SCALE = 0.5, 0.1, 1024.0


def prepare(kind, seed):
    torch.manual_seed(seed)
    models = torch.nn.ModuleList(torch.nn.Linear(32, 1) for _ in range(2))
    models = models.to(device, kind)
    optimizers = [torch.optim.SGD(model.parameters(), RATE) for model in models]
    x = torch.randn(64, 32, dtype=torch.float64).to(device, kind)
    with torch.autocast(device.type, torch.float16, enabled=kind == torch.float32):
        return models, optimizers, [model(x).square().mean() for model in models]


# %%
# Right: both are unscaled before a norm of both is taken.


def unscale_both(scaler, models, optimizers):
    scaler.unscale_(optimizers[0])
    scaler.unscale_(optimizers[1])
    return clip_grad_norm_(models.parameters(), LIMIT)


# %%
# Wrong: one is unscaled before a norm of both is taken.


def unscale_one(scaler, models, optimizers):
    scaler.unscale_(optimizers[0])
    return clip_grad_norm_(models.parameters(), LIMIT)


# %%
# Right too: one is unscaled, and its norm is taken alone. The other's gradients are not clipped.


def clip_one(scaler, models, optimizers):
    scaler.unscale_(optimizers[0])
    return clip_grad_norm_(models[0].parameters(), LIMIT)


# %%
# How far do the models move, compared with the same loop in FP64 without a scaler?

TRIES, WRONG = 20, 0.01  # of the length of the right step


def moved(way, kind, seed):
    models, optimizers, losses = prepare(kind, seed)
    before = [model.weight.detach().clone() for model in models]
    on = kind == torch.float32
    scaler = torch.amp.GradScaler(device.type, SCALE, enabled=on)
    torch.autograd.backward(scaler.scale(losses))
    norm = way(scaler, models, optimizers).item()
    for optimizer in optimizers:
        scaler.step(optimizer)
    steps = [m.weight.detach() - old for m, old in zip(models, before)]
    return norm, [step.double() for step in steps]


rows = []
for way in (unscale_both, unscale_one, clip_one):
    norms, wrong, lengths = [], [0, 0], []
    for seed in range(TRIES):
        wanted_norm, wanted = moved(way, torch.float64, seed)
        norm, given = moved(way, torch.float32, seed)
        norms.append(norm / wanted_norm)
        pairs = list(zip(given, wanted))
        off = [((a - b).norm() / b.norm()).item() > WRONG for a, b in pairs]
        wrong = [count + is_off for count, is_off in zip(wrong, off)]
        lengths.append([(a.norm() / b.norm()).item() for a, b in pairs])
    first, second = torch.tensor(lengths).median(dim=0).values.tolist()
    row = {"way": way.__name__, "norm_ratio": torch.tensor(norms).median().item()}
    row |= {"first_wrong": wrong[0], "second_wrong": wrong[1]}
    rows.append(row | {"first_length_ratio": first, "second_length_ratio": second})
    print(rows[-1])

measured = {"tries": TRIES, "scale": int(SCALE), "by_way": {"table": rows}}
