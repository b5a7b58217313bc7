"""
Workers take time to start
==========================

How long does an epoch wait for its first batch? With workers, for as long as they take to
start, and they start anew in each epoch, unless ``persistent_workers=True`` keeps them. A
spawned worker is a new interpreter that imports torch, and takes longer than a forked one.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
# sphinx_gallery_quiet = "host"

import time
from itertools import pairwise
from statistics import median

import torch
from torch.utils.data import DataLoader, TensorDataset

# %%
# The data is ready in memory, so a batch takes next to no time to load. The program uses
# the GPU, as a training does, and the workers do not.

BATCH, BATCHES, WORKERS = 32, 20, 4
WAYS = {
    "none": {},
    "fork": {"multiprocessing_context": "fork"},
    "fork, kept": {"multiprocessing_context": "fork", "persistent_workers": True},
    "spawn": {"multiprocessing_context": "spawn"},
    "spawn, kept": {"multiprocessing_context": "spawn", "persistent_workers": True},
}


def loader(data, way):
    workers = 0 if way == "none" else WORKERS
    return DataLoader(data, BATCH, num_workers=workers, **WAYS[way])


# %%
# An epoch: the time to its first batch, the usual time to a later one, and the whole, which
# includes the end of the workers.


def epoch(batches):
    clock = [time.perf_counter()]
    for _ in batches:
        clock.append(time.perf_counter())
    whole = time.perf_counter() - clock[0]
    first, *later = [end - begin for begin, end in pairwise(clock)]
    return first, median(later), whole


# %%
# Two epochs of each loader. Spawned workers take seconds to start, so they are tried once.

if __name__ == "__main__":  # a spawned worker imports this file
    torch.ones(1, device="cuda")
    data = TensorDataset(torch.randn(BATCH * BATCHES, 64))
    times = {way: [] for way in WAYS}
    for turn in range(3):
        for way in WAYS:
            if turn == 0 or not way.startswith("spawn"):
                batches = loader(data, way)
                times[way].append((epoch(batches), epoch(batches)))
                del batches  # ends the workers that were kept

# %%
# The median of the turns, in seconds.

if __name__ == "__main__":
    table = []
    for way, turns in times.items():
        values = {
            "first_s": [one[0] for one, _ in turns],
            "later_s": [one[1] for one, _ in turns],
            "again_s": [two[0] for _, two in turns],
            "epoch_s": [two[2] for _, two in turns],
        }
        shown = {name: f"{median(each):.1e}" for name, each in values.items()}
        print(f"{way:>11}: {shown}")
        row = {name: {"samples": each} for name, each in values.items()}
        table.append({"way": way} | row)
    measured = {"by_way": {"table": table}}
