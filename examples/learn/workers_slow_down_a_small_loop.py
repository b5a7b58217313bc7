"""
Workers slow down a small loop
==============================

Does my loop gain from ``num_workers``? The first loop does not: its workers start in each epoch and
hand over each batch, which takes more time than they save. Data that fits into the memory of the
GPU needs no loader at all: moved once, and cut into batches there, it feeds the loop fastest.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process", "This Data"]}
# sphinx_gallery_quiet = "host"
from time import perf_counter

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
points = torch.rand(5000, 2) * 2 - 1
labels = (points.norm(dim=1) > 0.5).long() + (points.norm(dim=1) > 0.9).long()
all_x, all_y = points[:4000].to(device), labels[:4000].to(device)  # moved once
model = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(3):
    begin = perf_counter()
    for chosen in torch.randperm(4000, device=device).split(100):
        x, y = all_x[chosen], all_y[chosen]
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"without a loader: loss {loss.item():.3f}, {perf_counter() - begin:.3f} s")

# %%
# The loader of the first loop; the same with two workers, which end with the epoch or are kept; and
# the data as above, in a new order each time. (Windows has no ``fork``: there, take it out, and put
# all that follows below ``if __name__ == "__main__":``.)

from torch.utils.data import DataLoader, TensorDataset

train = TensorDataset(points[:4000], labels[:4000])
WORKERS = {"num_workers": 2, "multiprocessing_context": "fork"}


def loader(**options):
    return DataLoader(train, batch_size=100, shuffle=True, **options)


class CutThere:
    def __iter__(self):
        for chosen in torch.randperm(4000, device=device).split(100):
            yield all_x[chosen], all_y[chosen]


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


WAYS = {
    "no workers": loader(),
    "workers of an epoch": loader(**WORKERS),
    "workers that are kept": loader(persistent_workers=True, **WORKERS),
    "data on the GPU": CutThere(),
}

# %%
# A first epoch of each warms up, and then they take turns.

from statistics import median

if device == "cpu":
    print("no GPU here: the data on the GPU is that in the memory of the CPU")
for batches in WAYS.values():
    epoch_seconds(batches)
turns = [{way: epoch_seconds(WAYS[way]) for way in WAYS} for _ in range(5)]
epoch = {way: median(turn[way] for turn in turns) for way in WAYS}
for way in WAYS:
    faster = epoch["no workers"] / epoch[way]
    print(f"{way}: {epoch[way]:.4f} s, {faster:.2f} times as fast")

# %%
# What workers take and save, by subtraction: to start them, and for each of the 40 batches, to hand
# it over and to fetch it from the data.

started = epoch["workers of an epoch"] - epoch["workers that are kept"]
handed = (epoch["workers that are kept"] - epoch["data on the GPU"]) / 40
fetched = (epoch["no workers"] - epoch["data on the GPU"]) / 40
print(f"start {started:.4f} s; a batch: hand over {handed:.5f}, fetch {fetched:.5f} s")
WAYS.clear()  # ends the workers that are kept

# %%
# For the record: the same, by turn.

rows = []
for way in turns[0]:
    epochs = [turn[way] for turn in turns]
    speedups = [turn["no workers"] / turn[way] for turn in turns]
    row = {"epoch_s": {"samples": epochs}, "speedup": {"samples": speedups}}
    rows.append({"way": way} | row)
plain, brief, kept, there = zip(*(turn.values() for turn in turns))
measured = {
    "by_way": {"table": rows},
    "start_s": {"samples": [a - b for a, b in zip(brief, kept)]},
    "hand_over_s": {"samples": [(a - b) / 40 for a, b in zip(kept, there)]},
    "fetch_s": {"samples": [(a - b) / 40 for a, b in zip(plain, there)]},
}
