"""
Workers slow down a small loop
==============================

Does my loop gain from ``num_workers``? The first loop does not: its workers start anew in each
epoch, and that takes longer than the whole epoch without them. Data that fits into the memory of
the GPU needs no loader at all: moved once, and cut into batches there, it feeds the loop fastest.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process", "This Data"]}
# sphinx_gallery_quiet = "host"
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


def epoch_seconds(batches):
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
# The loader of the first loop; the same with two workers, which end with the epoch or are kept; and
# the data on the GPU, in a new order each time. (Without a GPU, that is the memory of the CPU.)

WORKERS = {"num_workers": 2, "multiprocessing_context": "fork"}


def loader(**options):
    return DataLoader(train, batch_size=100, shuffle=True, **options)


class CutThere:
    x, y = points[:4000].to(device), labels[:4000].to(device)

    def __iter__(self):
        for chosen in torch.randperm(4000, device=device).split(100):
            yield self.x[chosen], self.y[chosen]


WAYS = {
    "no workers": loader(),
    "workers of an epoch": loader(**WORKERS),
    "workers that are kept": loader(persistent_workers=True, **WORKERS),
    "data on the GPU": CutThere(),
}

# %%
# A first epoch of each warms up, and then they take turns.

from statistics import median

for batches in WAYS.values():
    epoch_seconds(batches)
ROUNDS = 5
turns = [{way: epoch_seconds(WAYS[way]) for way in WAYS} for _ in range(ROUNDS)]
rows = []
for way in WAYS:
    epochs = [turn[way] for turn in turns]
    speedups = [turn["no workers"] / turn[way] for turn in turns]
    row = {"epoch_s": {"samples": epochs}, "speedup": {"samples": speedups}}
    rows.append({"way": way} | row)
    print(f"{way}: {median(epochs):.4f} s, {median(speedups):.2f} times as fast")
if device == "cpu":
    print("no GPU here: the data on the GPU is that in the memory of the CPU")
WAYS.clear()  # ends the workers that are kept
measured = {"by_way": {"table": rows}}
