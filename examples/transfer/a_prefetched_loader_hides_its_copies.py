"""
A prefetched loader hides its copies
====================================

How does the next batch of a ``DataLoader`` reach the GPU while the loop computes with
this one? A few lines around the loader are enough: a stream for copies, and two waits.
"""

# sphinx_gallery_quiet = "host"
from itertools import chain

import torch
from torch.utils.data import DataLoader, TensorDataset


def prefetched(loader):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    for batch in chain(loader, [()]):  # once more, to yield the last batch
        main.wait_stream(side)  # the batch sent last has arrived
        side.wait_stream(main)  # nothing uses the memory that the next batch gets
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if ready:
            yield ready


data = TensorDataset(torch.randn(4096, 1024), torch.randn(4096, 8))
for x, y in prefetched(DataLoader(data, batch_size=1024, pin_memory=True)):
    print(x.device, x.shape, y.shape)

# %%
# Loops without prefetching, with and without ``non_blocking=True``.

import time
from statistics import median


def plain(loader, non_blocking=True):
    for batch in loader:
        yield [x.to("cuda", non_blocking=non_blocking) for x in batch]


def blocking(loader):
    return plain(loader, non_blocking=False)


# %%
# The same batches, from data pinned once and from data that the loader pins.

BATCHES, SHAPE, SIZE = 16, (8192, 1024), 2**25  # bytes: 32 MiB a batch
pageable = [[torch.full(SHAPE, float(number))] for number in range(4)] * 4
pinned = [[x.pin_memory() for x in batch] for batch in pageable[:4]] * 4
loaders = {
    "pinned_once": DataLoader(pinned, None),
    "pinned_by_loader": DataLoader(pageable, None, pin_memory=True),
}

# %%
# A step consists of a few matmuls, and a sum that shows which batch it saw.

weight = torch.eye(SHAPE[1], device="cuda")
product = torch.empty(2048, SHAPE[1], device="cuda")
sums = torch.empty(BATCHES, device="cuda")


def train(batches, products):
    for number, (x,) in enumerate(batches):
        for _ in range(products):
            torch.mm(x[:2048], weight, out=product)
        torch.sum(x, (0, 1), out=sums[number])


def seconds(batches, products):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    train(batches, products)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# The warm-up runs for a fixed time. All loops must give the same sums. How many batches
# does each hold on the GPU at most?

WAYS = (plain, blocking, prefetched)
warm_until = time.perf_counter() + 0.3
while time.perf_counter() < warm_until:
    seen, held = [], []
    for way in WAYS:
        seconds(way(loaders["pinned_by_loader"]), 8)
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        seconds(way(loaders["pinned_once"]), 8)
        held.append(-((before - torch.cuda.max_memory_allocated()) // SIZE))
        seen.append(sums.tolist())
equal = seen[0] == seen[1] == seen[2] and len(set(seen[0])) == 4
print(f"same sums: {equal}; batches on the GPU: {held}")

# %%
# Steps that take a quarter as long as a copy, as long, and four times as long; and
# steps that take as long, with the loader that pins.

CASES = {"short": 1 / 4, "balanced": 1, "long": 4, "balanced,pinned_by_loader": 1}
on_gpu = [[x.to("cuda") for x in pinned[0]]] * BATCHES
copying = median(seconds(plain(loaders["pinned_once"]), 0) for _ in range(5))
sixteen = median(seconds(on_gpu, 16) for _ in range(5))

# %%
# The loops take turns. How much faster is the one that prefetches?

table = []
for case, share in CASES.items():
    loader = loaders[case.partition(",")[2] or "pinned_once"]
    products = round(16 * share * copying / sixteen)
    rounds = [[seconds(way(loader), products) for way in WAYS] for _ in range(6)]
    table.append({"step": case})
    for place, way in enumerate(WAYS[:2]):
        gains = [taken[place] / taken[2] for taken in rounds]
        table[-1][f"over_{way.__name__}_speedup"] = {"samples": gains}
        print(f"{case:>25}, over {way.__name__:>8}: {median(gains):.2f} times as fast")
measured = {"by_step": {"table": table}, "equal": equal, "held": held[2]}
