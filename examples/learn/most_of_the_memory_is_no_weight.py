"""
Most of the memory is no weight
===============================

My model is small: why does its training take so much memory? Each weight has a gradient and, with
Adam, two moments, so a step leaves four times the weights. The results of the layers are kept for
backward, and their gradients come on top: they grow with the batch, and go when the step ends.
"""

import torch
from torch import nn

device, n = ("cuda", 4096) if torch.cuda.is_available() else ("cpu", 256)
torch.manual_seed(0)
x = (torch.rand(4000, 2) * 2 - 1).to(device)  # all points: one batch, moved once
y = (x.norm(dim=1) > 0.5).long() + (x.norm(dim=1) > 0.9).long()
layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
model = nn.Sequential(*layers).to(device)  # wider, with one more layer
optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)  # in smaller steps
weights = sum(weight.nbytes for weight in model.parameters())
print(f"the weights: {weights} bytes")
for step in range(2):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if device == "cuda":
        held = torch.cuda.memory_allocated()
        print(f"after step {step}: {held / weights:.1f} times the weights")

# %%
# What is allocated between the lines of two steps? In the second one, gradients and moments are
# there from the first. ``reset_peak_memory_stats`` lets the peak begin with the step.

import gc


def allocated():
    return torch.cuda.memory_allocated() if device == "cuda" else 0


def step_and_counts(model, optimizer, x, y):
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    yield "before", allocated()
    loss = nn.functional.cross_entropy(model(x), y)
    yield "after forward", allocated()
    optimizer.zero_grad()
    loss.backward()
    yield "after backward", allocated()
    if device == "cuda":
        yield "peak so far", torch.cuda.max_memory_allocated()
    optimizer.step()
    yield "after the step", allocated()


def train_and_count(batch):
    gc.collect()  # what the model before left behind
    begin = allocated()
    layers = nn.Linear(2, n), nn.ReLU(), nn.Linear(n, n), nn.ReLU(), nn.Linear(n, 3)
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)
    for step in "first", "second":
        for when, count in step_and_counts(model, optimizer, x[:batch], y[:batch]):
            yield step, when, count - begin


# %%
# cuBLAS takes memory of its own with its first matmul, and keeps it: that of the first cell is
# there before the count begins. Two sizes of the batch, in times of the weights.

del layers, model, optimizer, loss
list(train_and_count(batch=4000))  # warms up
for batch in (1000, 4000):
    for step, when, held in train_and_count(batch):
        if device == "cuda":
            times = f"{held / weights:.2f} times the weights"
            print(f"{step} step, {when}, batch {batch}: {times}")
if device == "cpu":
    print("no GPU here: the steps run, and nobody counts their memory")

# %%
# For the record, the same counts again: by moment, in bytes and in times of the weights.

rows = {}
for batch in (1000, 4000):
    for step, when, held in train_and_count(batch):
        row = rows.setdefault((step, when), {"moment": f"{step} step, {when}"})
        row |= {f"batch_{batch}_bytes": held, f"batch_{batch}_times": held / weights}
measured = {
    "weights_bytes": weights,
    "wide_result_bytes": 4000 * n * 4,  # of one layer, for the larger batch
    "by_moment": {"table": list(rows.values())},
}
