"""
A small model gains nothing on a GPU
====================================

Is my first loop faster on the GPU? With the small model it is not: Python, the loader and the
launches take most of the time, on either device. With a wide layer in the middle, the GPU has
enough to do, and the same loop takes a fraction of the time that it takes on the CPU.
"""

# sphinx_gallery_quiet = "host"
from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
train = TensorDataset(points[:4000], labels[:4000])
for device in ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]:
    model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(3):
        begin = perf_counter()
        for x, y in DataLoader(train, batch_size=100, shuffle=True):
            x, y = x.to(device), y.to(device)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"{device}: loss {loss.item():.3f} in {perf_counter() - begin:.3f} s")

# %%
# The same loop as a function, for any width and batch: it gives the seconds of each epoch.


def trained(device, width, batch_size, epochs):
    middle = [nn.Linear(width, width), nn.ReLU()] if width > 64 else []
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01 if width == 64 else 0.0001)
    seconds = []
    for _ in range(epochs):
        begin = perf_counter()
        for x, y in DataLoader(train, batch_size=batch_size, shuffle=True):
            x, y = x.to(device), y.to(device)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss.item()  # waits for the GPU
        seconds.append(perf_counter() - begin)
    return seconds


# %%
# The first epoch of each loads what it needs, and does not count. Without a GPU, the CPU alone is
# timed, and the wide model is smaller there.

from statistics import median

has_gpu = torch.cuda.is_available()
WIDTHS = {"small": 64, "wide": 4096 if has_gpu else 256}
SIZES, EPOCHS, rows = {"small": 100, "wide": 1000}, {"small": 6, "wide": 3}, []
for name, width in WIDTHS.items():
    on_cpu = trained("cpu", width, SIZES[name], EPOCHS[name])[1:]
    print(f"{name}: {median(on_cpu):.4f} s an epoch on the CPU")
    if has_gpu:
        trained("cuda", width, SIZES[name], epochs=3)
        on_gpu = trained("cuda", width, SIZES[name], EPOCHS[name])[1:]
        row = {"cpu_s": {"samples": on_cpu}, "gpu_s": {"samples": on_gpu}}
        row["speedup"] = {"samples": [a / b for a, b in zip(on_cpu, on_gpu)]}
        rows.append({"model": name, "width": width} | row)
        there, ratio = median(on_gpu), median(row["speedup"]["samples"])
        print(f"{name}: {there:.4f} s on the GPU, {ratio:.1f} times as fast")
if not has_gpu:
    print("no GPU here: what it gains is not seen")
measured = {"by_model": {"table": rows}}
