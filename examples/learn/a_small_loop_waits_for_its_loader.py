"""
A small loop waits for its loader
=================================

Where does the time of my loop go? Four instruments tell: a clock around the loader alone, another
around the steps, a profiler for what the GPU does, and a counter of memory. In the first loop, the
loader and the launches take most of the time, and the GPU is busy for a small part of it.
"""

from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
train = TensorDataset(points[:4000], labels[:4000])
model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    begin = asked = perf_counter()
    in_loader = 0.0
    for x, y in DataLoader(train, batch_size=100, shuffle=True):
        in_loader += perf_counter() - asked
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        asked = perf_counter()
    loss.item()  # waits for the GPU
    print(f"loader {in_loader:.3f} s, whole epoch {perf_counter() - begin:.3f} s")

# %%
# An epoch of the loader alone, the steps alone, with batches that are ready, and the whole loop.


def step(x, y):
    x, y = x.to(device), y.to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def leave(*_batch):
    pass  # no step: this times the loader alone


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


def seconds(batches, call):
    wait()
    begin = perf_counter()
    for x, y in batches:
        call(x, y)
    wait()
    return perf_counter() - begin


def loader():
    return DataLoader(train, batch_size=100, shuffle=True)


ready = list(loader())
warm_until = perf_counter() + 0.5
while perf_counter() < warm_until:
    seconds(ready, step)
ROUNDS, alone, steps, loop = 10, [], [], []
for _ in range(ROUNDS):
    alone.append(seconds(loader(), leave))
    steps.append(seconds(ready, step))
    loop.append(seconds(loader(), step))
parts = {"loader": alone, "steps": steps}

# %%
# The profiler notes when each kernel runs. What it adds to the time of the loop does not count: the
# times of the kernels are used alone. A CPU has no kernels to note.

from statistics import median

from torch.profiler import ProfilerActivity, profile

measured = {}
if device == "cuda":
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
        seconds(ready, step)
    events = [e for e in seen.events() if e.device_type.name == "CUDA"]
    other = "Mem", "Optimizer"  # copies, and the marks that an optimizer leaves
    spans = [e.time_range for e in events if not e.name.startswith(other)]
    # add up the microseconds in which a kernel ran: one pass, repeated for each round
    parts["kernels"] = [sum(span.end - span.start for span in spans) / 1e6] * ROUNDS
    count, peak = len(spans) / len(ready), torch.cuda.max_memory_allocated()
    weights = sum(weight.nbytes for weight in model.parameters())
    print(f"{count:.1f} kernels a step; weights {weights} bytes, peak {peak}")
    measured["kernels_per_step"] = {"samples": [count]}
    measured |= {"weights_bytes": weights, "peak_bytes": {"samples": [peak]}}
else:
    print("no GPU here: no kernels, and no memory of its own to count")

# %%
# Shares of the time of the whole loop, by round. The two parts need not add up to all of it.

measured["loop_s"] = {"samples": [each / len(ready) for each in loop]}
for name, part in parts.items():
    shares = [a / b for a, b in zip(part, loop)]
    measured[f"{name}_share"] = {"samples": shares}
    print(f"{name}: {median(shares):.0%} of {median(loop) / len(ready):.5f} s a step")
