"""
Workers pin in a thread
=======================

Does ``DataLoader(pin_memory=True)`` pin in the background? With worker processes, yes:
a thread in the loop's process does it, which copies slowly and on its own. Without
workers, the loop itself pins its batches, in ``next()``, and waits for that.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
# sphinx_gallery_quiet = "host"

import threading
import time
from pathlib import Path
from statistics import median

import torch
from torch.utils.data import DataLoader, Dataset

# %%
# Where is a batch pinned, and how long does that take? A batch of a custom class can
# tell: the loader calls its ``pin_memory`` where it pins.


class Batch:
    """A tensor, and what was seen when it was pinned."""

    def __init__(self, images):
        self.images = images

    def pin_memory(self):
        """Pin, and note for how long, where, and with how many threads."""
        begin = time.perf_counter()
        self.images = self.images.pin_memory()
        self.pinning_s = time.perf_counter() - begin
        self.in_loop = threading.current_thread() is threading.main_thread()
        self.threads = torch.get_num_threads()
        self.task = threading.get_native_id()
        return self


# %%
# The batches are ready in shared memory, so no time is spent on creating them or on
# copying them between processes.

SIZE, BATCHES = 32 * 2**20, 4  # bytes: takes much longer to pin than to hand over
torch.cuda.init()


class Ready(Dataset):
    """The same few batches again and again."""

    images = torch.ones(BATCHES, SIZE, dtype=torch.uint8).share_memory_()

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        return Batch(self.images[index % BATCHES])


# %%
# There are four loaders: with and without a worker, pinning and not pinning.

WORKERS = (0, 1)
ARMS = [(workers, pin) for workers in WORKERS for pin in (False, True)]


def loader(workers, pin_memory):
    options = {"batch_size": None, "num_workers": workers, "pin_memory": pin_memory}
    if workers:
        options["multiprocessing_context"] = "fork"  # it never touches the GPU
    return iter(DataLoader(Ready(), **options))


loaders = {arm: loader(*arm) for arm in ARMS}

# %%
# Between two batches, the loop works for longer than pinning takes. The loaders take
# turns. Their first batches do not count, because pinned memory is allocated for them.

STEP_S, FIRST, ROUNDS = 0.012, 3, 9
waits, pinned = {arm: [] for arm in ARMS}, {workers: [] for workers in WORKERS}
for _ in range(FIRST + ROUNDS):
    for workers, pin in ARMS:
        time.sleep(STEP_S)
        begin = time.perf_counter()
        batch = next(loaders[workers, pin])
        waits[workers, pin].append(time.perf_counter() - begin)
        if pin:
            del batch.images  # or the kept batches would hold their memory
            pinned[workers].append(batch)

# %%
# The operating system has a name for the thread, shown by ``top -H``.

table, pinning = [], {}
for n in WORKERS:
    last, counted = pinned[n][-1], pinned[n][FIRST:]
    name = Path(f"/proc/self/task/{last.task}/comm").read_text().strip()
    pinning[n] = [batch.pinning_s for batch in counted]
    ratios = [pin / plain for plain, pin in zip(waits[n, False], waits[n, True])]
    row = {"workers": n, "in_loop": last.in_loop, "threads": last.threads}
    row |= {"pinning_s": {"samples": [min(pinning[n])]}}
    table.append(row | {"next_ratio": {"samples": ratios[FIRST:]}})
    print(f"{n} workers: pinned in {name}, by {last.threads} threads, in ", end="")
    print(f"{min(pinning[n]):.1e} s; next() {median(ratios[FIRST:]):.2f} times")
del loaders  # ends the workers

# %%
# The fastest pinning of each is compared: other work on the host only slows it down.

slowdown = min(pinning[1]) / min(pinning[0])
measured = {
    "by_workers": {"table": table},
    "size_bytes": SIZE,
    "thread": name,
    "thread_slowdown": {"samples": [slowdown]},
}
