"""
Page: docs/amp/accumulation.md (claims unscaling-after-the-first-batch, an-update-hides-the-second-unscaling)
Sentences: "No error is raised, and the model does not learn as in FP32." (unscaling after the first
batch of a group) and the same words for an update after each batch. The page names no optimizer.

Attack: Adam instead of SGD, whose steps do not depend on the size of the gradients: three
of four batches stay in, 65536 times too large, and Adam divides that away. Same data, same groups,
same criterion as the page's script (the last loss within 5 % of FP32's).

Refuted if with Adam a wrong way learns as in FP32 (0.95 < ratio < 1.05) for most learning rates.
"""

import torch
from torch.nn.functional import mse_loss

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
GROUP, GROUPS, ROWS = 4, 60, 32
generator = torch.Generator().manual_seed(1)
x = torch.randn(GROUPS, GROUP, ROWS, 32, generator=generator).to(device)
y = torch.tanh(x[..., :8]).sum(-1, keepdim=True) / 10


def make_model():
    torch.manual_seed(0)
    layers = torch.nn.Linear(32, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)
    return torch.nn.Sequential(*layers).to(device)


def train(way, kind, lr, low=True):
    model = make_model()
    optimizer = kind(model.parameters(), lr=lr)
    scaler = torch.amp.GradScaler(device.type, enabled=low)
    for group in range(GROUPS - 1):
        for place in range(GROUP):
            with torch.autocast(device.type, torch.float16, enabled=low):
                loss = mse_loss(model(x[group, place]), y[group, place]) / GROUP
            scaler.scale(loss).backward()
            if way == "after_the_first" and place == 0:
                scaler.unscale_(optimizer)
            if way == "before_the_step" and place == GROUP - 1:
                scaler.unscale_(optimizer)
            if way == "after_each_with_update":
                scaler.unscale_(optimizer)
                if place < GROUP - 1:
                    scaler.update()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    with torch.no_grad():
        return mse_loss(model(x[-1]), y[-1]).item()


with torch.no_grad():
    untrained = mse_loss(make_model()(x[-1]), y[-1]).item()
learned = {}
for kind, lr in ((torch.optim.Adam, 1e-3), (torch.optim.Adam, 3e-3), (torch.optim.Adam, 1e-2)):
    full = train("before_the_step", kind, lr, low=False)
    row = {"optimizer": kind.__name__, "lr": lr, "untrained_ratio": untrained / full}
    for way in ("after_the_first", "after_each_with_update"):
        row[way] = train(way, kind, lr) / full
        learned.setdefault(way, []).append(0.95 < row[way] < 1.05)
    print(row)
hits = {way: sum(found) for way, found in learned.items()}
print(hits, "of 3")
if max(hits.values()) >= 2:
    print(f"REFUTED: with Adam the wrong order learns as in FP32, within 5 %: {hits} of 3 learning rates")
else:
    print(f"NOT REFUTED: Adam at three learning rates, within 5 % of FP32 in {hits}")
