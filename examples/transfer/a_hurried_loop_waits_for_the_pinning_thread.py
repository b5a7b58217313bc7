"""
A hurried loop waits for the pinning thread
===========================================

With workers, ``DataLoader(pin_memory=True)`` pins in a thread. Does that make
``next()`` fast? Only in a loop that spends longer on each batch than the thread takes
to pin one. A loop that comes back immediately waits for the thread, and gets no batch
sooner.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
# sphinx_gallery_quiet = "host"

import time
from statistics import median

import torch
from torch.utils.data import DataLoader, IterableDataset

# %%
# Two loaders with one worker each, whose batches are ready in shared memory. One pins.

SIZE = 32 * 2**20  # bytes: takes much longer to pin than to hand over
torch.cuda.init()


class Ready(IterableDataset):
    """The same few batches again and again."""

    images = torch.ones(4, SIZE, dtype=torch.uint8).share_memory_()

    def __iter__(self):
        while True:
            yield from self.images


def loader(pin_memory):
    options = {
        "num_workers": 1,
        "multiprocessing_context": "fork",
    }  # it never uses CUDA
    return iter(DataLoader(Ready(), None, pin_memory=pin_memory, **options))


loaders = {pin: loader(pin) for pin in (False, True)}

# %%
# A loop that pauses between two batches, or comes back immediately. How long does it
# wait in ``next()``, and how long until the batch is on the GPU? Batches that a loader
# has already prefetched do not count.

STORE, COUNTED = 3, 4


def loop(pin, away_s):
    waiting, copying = [], []
    for _ in range(STORE + COUNTED):
        time.sleep(away_s)
        begin = time.perf_counter()
        batch = next(loaders[pin])
        waiting.append(time.perf_counter() - begin)
        batch.to("cuda")
        copying.append(time.perf_counter() - begin)
    return median(waiting[STORE:]), median(copying[STORE:])


# %%
# The loaders take turns. Their first turns do not count, because they allocate pinned
# memory.

PAUSES = {"none": 0.0, "long": 0.015}
_ = [loop(pin, 0.0) for pin in loaders]
table = []
for pause, away_s in PAUSES.items():
    rounds = [(loop(False, away_s), loop(True, away_s)) for _ in range(3)]
    row = {"pause": pause}
    for place, name in enumerate(("next_ratio", "arrival_ratio")):
        ratios = [pinned[place] / plain[place] for plain, pinned in rounds]
        row[name] = {"samples": ratios}
        print(f"pause {pause}: {name} {median(ratios):.2f}")
    table.append(row)
loaders.clear()  # ends the workers

# %%
# The ratio of the time with pinning to the time without it: in ``next()`` alone, and in
# ``next()`` plus the copy to the GPU.

measured = {"size_bytes": SIZE, "by_pause": {"table": table}}
