"""
Value clipping needs unscaled gradients
=======================================

May I call ``clip_grad_value_`` on scaled gradients? It would cut nearly every element to the same
size, and that size is divided by the scale afterwards. Unscale first.
"""

# sphinx_gallery_quiet = "nothing"
import torch
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_value_

found = torch.accelerator.current_accelerator(check_available=True)
device = found or torch.device("cpu")
STEPS, ROWS, CLASSES, LARGEST = 100, 128, 10, 0.1
generator = torch.Generator().manual_seed(1)
centres = torch.randn(CLASSES, 32, generator=generator)
labels = torch.randint(CLASSES, (STEPS + 8, ROWS), generator=generator)
x = centres[labels] + 2 * torch.randn(STEPS + 8, ROWS, 32, generator=generator)
x, labels = x.to(device), labels.to(device)
print(x.shape)

# %%
# These are the ways to clip.


def value_unscaled(parameters, scaler, optimizer):
    scaler.unscale_(optimizer)
    clip_grad_value_(parameters, LARGEST)


def value_scaled(parameters, *_):
    clip_grad_value_(parameters, LARGEST)


# %%
# A model learns to tell the classes apart. Apart from the scale, which elements of its gradients
# are beyond the threshold? Which of the others are cut all the same?


def flat(parameters):
    return torch.cat([p.grad.flatten() for p in parameters])


def train(clip, low=True):
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, CLASSES)
    model = torch.nn.Sequential(*layers).to(device)
    parameters = [*model.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=0.5)
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    beyond = inside = cut = skipped = 0
    for step in range(STEPS):
        with torch.autocast(device.type, torch.float16, enabled=low):
            loss = cross_entropy(model(x[step]), labels[step])
        scaler.scale(loss).backward()
        before, scale = flat(parameters), scaler.get_scale()
        clip(parameters, scaler, optimizer)
        is_inside = before.abs() < LARGEST * scale
        kept = (flat(parameters) == before) | (flat(parameters) == before / scale)
        beyond += (~is_inside).sum().item()
        inside += is_inside.sum().item()
        cut += (is_inside & ~kept).sum().item()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        skipped += scaler.get_scale() < scale
    with torch.no_grad():
        scores = model(x[STEPS:])
    right = (scores.argmax(-1) == labels[STEPS:]).float().mean().item()
    shares = {
        "beyond_share": beyond / (beyond + inside),
        "cut_inside_share": cut / inside,
    }
    return {**shares, "skipped_steps": skipped, "accuracy_share": right}


rows = [{"way": "fp32", **train(value_unscaled, low=False)}]
rows += [{"way": way.__name__, **train(way)} for way in (value_unscaled, value_scaled)]
print(*rows, sep="\n")

measured = {"ways": {"table": rows}}
