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

from statistics import median


def step(x, y):
    x, y = x.to(device), y.to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


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
for _ in range(10):
    seconds(ready, step)  # warms up


def turn():  # the loader alone, without a step; the steps alone; the whole loop
    alone = seconds(loader(), lambda *_: None)
    return alone, seconds(ready, step), seconds(loader(), step)


turns = [turn() for _ in range(10)]
alone, steps, loop = (median(each) for each in zip(*turns))
print(f"a step takes {loop / len(ready):.5f} s with its share of the loader")
print(f"loader alone: {alone / loop:.0%}; steps alone: {steps / loop:.0%}")

# %%
# The profiler notes when each kernel runs. What it adds to the time of the loop does not count: the
# times of the kernels are used alone. A CPU has no kernels to note.

from torch.profiler import ProfilerActivity, profile


def kernels_of_an_epoch():
    with profile(activities=[ProfilerActivity.CUDA], acc_events=True) as seen:
        seconds(ready, step)
    events = [e for e in seen.events() if e.device_type.name == "CUDA"]
    other = "Mem", "Optimizer"  # copies, and the marks that an optimizer leaves
    spans = [e.time_range for e in events if not e.name.startswith(other)]
    # how many kernels, and the seconds in which one ran, from microseconds
    return len(spans), sum(span.end - span.start for span in spans) / 1e6


if device == "cuda":
    count, busy = kernels_of_an_epoch()
    print(f"{count / len(ready):.0f} kernels a step, which take {busy / loop:.1%}")
else:
    print("no GPU here: no kernels, and no memory of its own to count")

# %%
# For the record: the shares, by turn, which need not add up to one, and the memory.

measured = {
    "loop_s": {"samples": [whole / len(ready) for *_, whole in turns]},
    "loader_share": {"samples": [part / whole for part, _, whole in turns]},
    "steps_share": {"samples": [part / whole for _, part, whole in turns]},
    "weights_bytes": sum(weight.nbytes for weight in model.parameters()),
}
if device == "cuda":
    measured["kernels_share"] = {"samples": [busy / whole for *_, whole in turns]}
    measured["kernels_per_step"] = {"samples": [count / len(ready)]}
    measured["peak_bytes"] = {"samples": [torch.cuda.max_memory_allocated()]}
