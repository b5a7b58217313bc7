"""
Most of the memory is no weight
===============================

My model is small: why does its training take so much memory? Each weight has a gradient and, with
Adam, two moments, so a step leaves four times the weights. The results of the layers are kept for
backward, and their gradients come on top: they grow with the batch, and go when the step ends.
"""

import gc

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
width = 4096 if device == "cuda" else 256  # wider, for numbers that are easy to see
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()


def allocated():
    return torch.cuda.memory_allocated() if device == "cuda" else 0


# %%
# Two steps of the loop, and what is allocated between its lines. In the second one, gradients and
# moments are there from the first. ``reset_peak_memory_stats`` lets the peak begin with the step.


def step_and_counts(model, optimizer, x, y):
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    counts = {"before": allocated()}
    loss = nn.functional.cross_entropy(model(x), y)
    counts["after forward"] = allocated()
    optimizer.zero_grad()
    loss.backward()
    counts["after backward"] = allocated()
    if device == "cuda":
        counts["peak so far"] = torch.cuda.max_memory_allocated()
    optimizer.step()
    counts["after the step"] = allocated()
    return counts


def train_and_count(batch):
    gc.collect()  # what the model before left behind
    x, y = points[:batch].to(device), labels[:batch].to(device)
    begin = allocated()
    middle = nn.Linear(width, width), nn.ReLU()
    layers = nn.Linear(2, width), nn.ReLU(), *middle, nn.Linear(width, 3)
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0001)
    weights = sum(weight.nbytes for weight in model.parameters())
    for step in "first", "second":
        for when, count in step_and_counts(model, optimizer, x, y).items():
            yield step, when, count - begin, weights


# %%
# cuBLAS takes memory of its own with its first matmul, and keeps it: so a model trains before the
# count begins. Two sizes of the batch, in bytes, and in times of the weights.

list(train_and_count(batch=4000))
rows = {}
for batch in (1000, 4000):
    for step, when, held, weights in train_and_count(batch):
        row = rows.setdefault((step, when), {"moment": f"{step} step, {when}"})
        row |= {f"batch_{batch}_bytes": held, f"batch_{batch}_times": held / weights}
        if device == "cuda":
            print(
                f"{row['moment']}, batch {batch}: {held / weights:.2f} times the weights"
            )
if device == "cpu":
    print("no GPU here: the steps run, and nobody counts their memory")
measured = {
    "weights_bytes": weights,
    "wide_result_bytes": 4000 * width * 4,  # of one layer, for the larger batch
    "by_moment": {"table": list(rows.values())},
}
