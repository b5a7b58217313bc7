"""
A small model gains nothing on a GPU
====================================

My loop runs on the GPU now: is it faster? With the small model it is not, since Python needs longer
to call a kernel than a CPU needs for the work. With a wide layer in the middle, there is enough to
do: the CPU takes many times as long for an epoch, and the GPU hardly longer than before.
"""

# sphinx_gallery_quiet = "host"
from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(4000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
loader = DataLoader(TensorDataset(points, labels), batch_size=100, shuffle=True)
for device in ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]:
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(3):
        begin = perf_counter()
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"{device}: loss {loss.item():.3f} in {perf_counter() - begin:.3f} s")

# %%
# The same loop as a function, which gives the seconds of an epoch, for a model of any width. Beyond
# 64, the model has one more layer, and learns in smaller steps.


def model_and_adam(width, device):
    torch.manual_seed(0)
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    rate = 0.01 if width == 64 else 0.0001
    return model, torch.optim.Adam(model.parameters(), lr=rate)


def epoch_seconds(model, optimizer, device, batches):
    begin = perf_counter()
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    loss.item()  # waits for the GPU
    return perf_counter() - begin


# %%
# Three widths, on the CPU and on the GPU, which take turns. The first turn loads what it needs and
# does not count, nor does an epoch that raises the GPU's clock after a turn of the CPU. (Without a
# GPU, the widest model is narrower.)

from statistics import median

devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
widths = {"small": 64, "middle": 512, "wide": 4096 if len(devices) == 2 else 1024}


def turns(width, batches_of, rounds):
    pairs = {device: model_and_adam(width, device) for device in devices}
    taken = {device: [] for device in devices}
    for _ in range(1 + rounds):
        for device, pair in pairs.items():
            if (
                device == "cuda"
            ):  # not timed: raises the clock of the GPU, idle until now
                epoch_seconds(*pair, device, batches_of[device])
            taken[device].append(epoch_seconds(*pair, device, batches_of[device]))
    return {device: samples[1:] for device, samples in taken.items()}


def text(taken):
    return ", ".join(f"{at} {median(taken[at]):.3f} s" for at in devices)


loaders = dict.fromkeys(devices, loader)
by_model = {}
for name, width in widths.items():
    by_model[name] = turns(width, loaders, rounds=5 if width == 64 else 3)
    print(f"{name}: {text(by_model[name])} an epoch")

# %%
# Is it the way to the GPU? Here each batch has been moved before the clock starts: no loader runs,
# and nothing is sent.

in_place = {at: [(x.to(at), y.to(at)) for x, y in loader] for at in devices}
ready = turns(widths["small"], in_place, rounds=5)
print(f"small, batches in place: {text(ready)} an epoch")

# %%
# For the record: the same, by turn. Without a GPU, there is nothing to compare.


def samples_of(taken):
    ratios = [a / b for a, b in zip(taken["cpu"], taken["cuda"])]
    found = {"cpu_s": taken["cpu"], "gpu_s": taken["cuda"], "speedup": ratios}
    return {key: {"samples": values} for key, values in found.items()}


measured = {"by_model": {"table": []}}
if len(devices) == 2:
    for name, width in widths.items():
        row = {"model": name, "width": width} | samples_of(by_model[name])
        measured["by_model"]["table"].append(row)
    measured |= {f"ready_{key}": each for key, each in samples_of(ready).items()}
else:
    print("no GPU here: what it gains is not seen")
