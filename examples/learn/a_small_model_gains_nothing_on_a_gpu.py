"""
A small model gains nothing on a GPU
====================================

Is my first loop faster on the GPU? With the small model it is not: Python, the loader and the
launches take most of the time, on either device. With a wide layer in the middle, the GPU has
enough to do, and the same loop takes a fraction of the time that it takes on the CPU.
"""

from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
train = TensorDataset(points[:4000], labels[:4000])


def trained(device, width, batch_size=100, epochs=1):
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
# The first epoch of each loads what it needs, and does not count. Without a GPU, both devices are
# the CPU: the loops run, and the speedup says nothing. The wide model is smaller there.

from statistics import median

has_gpu = torch.cuda.is_available()
device = "cuda" if has_gpu else "cpu"
WIDTHS = {"small": 64, "wide": 4096 if has_gpu else 256}
SIZES, EPOCHS, rows = {"small": 100, "wide": 1000}, {"small": 6, "wide": 2}, []
for name, width in WIDTHS.items():
    trained(device, width, SIZES[name], epochs=3)
    on_cpu = trained("cpu", width, SIZES[name], EPOCHS[name])[1:]
    on_gpu = trained(device, width, SIZES[name], EPOCHS[name])[1:]
    row = {"cpu_s": {"samples": on_cpu}, "gpu_s": {"samples": on_gpu}}
    row["speedup"] = {"samples": [a / b for a, b in zip(on_cpu, on_gpu)]}
    rows.append({"model": name, "width": width} | row)
    here, there = median(on_cpu), median(on_gpu)
    print(f"{name}: CPU {here:.4f} s, {device} {there:.4f} s: {here / there:.1f} times")
if not has_gpu:
    print("no GPU here: both times are of the CPU, and their ratio says nothing")
measured = {"by_model": {"table": rows}}
