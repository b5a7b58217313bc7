"""
Each loop has its number of workers
===================================

How many workers does a ``DataLoader`` need? That depends on what loads a sample, and on
how long the GPU works on a batch: time the loop with several numbers. In five loops, made
on purpose, workers gain a lot, gain nothing, or cost time.
"""
# sphinx_gallery_evidence = {"expected_warnings": ["This process", "This Data"]}
# sphinx_gallery_quiet = "host"

import time

import torch


def seconds_by_workers(loader_with, step, numbers=(0, 1, 2, 4, 8, 16)):
    seconds = {}
    for workers in numbers:
        first, batches = 2 * workers + 8, 4 * workers + 16
        loader = iter(loader_with(workers))
        for number in range(first + batches):
            if number == first:  # what the workers had loaded ahead is used up
                torch.cuda.synchronize()
                begin = time.perf_counter()
            step(next(loader))
        torch.cuda.synchronize()
        seconds[workers] = (time.perf_counter() - begin) / batches
        del loader  # ends its workers
    enough = min(n for n in seconds if seconds[n] <= 1.1 * min(seconds.values()))
    return seconds, enough


# %%
# Batches that are ready in memory; that have to be waited for, as for a disk; and that
# have to be unpacked, as images are. A worker computes in one thread, and so does the loop
# here. Nothing that loads touches the GPU, which a forked worker may not use.

import zlib
from functools import partial

torch.set_num_threads(1)
BATCH, SHAPE = 8, (3, 256, 256)
images = torch.randint(64, (BATCH, *SHAPE), dtype=torch.uint8)
packed = [zlib.compress(image.numpy().tobytes()) for image in images]


def ready(indices):
    return torch.stack([images[n % BATCH, :, :8, :8] for n in indices])


def waiting(indices, seconds=16e-3):
    time.sleep(seconds)
    return ready(indices)


def unpacking(indices):
    unpacked = [bytearray(zlib.decompress(packed[n % BATCH])) for n in indices]
    samples = [torch.frombuffer(each, dtype=torch.uint8) for each in unpacked]
    return torch.stack(samples).view(BATCH, *SHAPE)


def loader_with(workers, load):
    options = {"num_workers": workers, "pin_memory": True, "collate_fn": load}
    if workers:
        options["multiprocessing_context"] = "fork"
    return torch.utils.data.DataLoader(range(10_000), BATCH, **options)


# %%
# A step can be short, or long; and it can read its result, so the loop waits for the GPU.
# Long steps take twice as long as their batches are waited for.

LOAD_S, STEP_S = 4e-3, 8e-3
factor = torch.ones(2048, 2048, device="cuda")
product = torch.empty_like(factor)


def step(batch, products=0, read=False):
    for _ in range(products):
        torch.mm(factor, factor, out=product)
    total = batch.to("cuda", non_blocking=True).sum()
    return total.item() if read else total


warm_until = time.perf_counter() + 0.5  # by time: the clocks must ramp up
while time.perf_counter() < warm_until:
    begin = time.perf_counter()
    step(images, 100, read=True)
    products_s = (time.perf_counter() - begin) / 100
products = max(1, round(STEP_S / products_s))

# %%
# Each loop with each number of workers, and with the same batch again and again, which
# needs no loader.

from itertools import repeat

brief, long = partial(waiting, seconds=LOAD_S), partial(step, products=products)
LOOPS = {
    "ahead": (brief, long),
    "reading": (brief, partial(long, read=True)),
    "waiting": (waiting, step),
    "unpacking": (unpacking, step),
    "ready": (ready, step),
}
by_workers, by_loop = {}, []
for loop, (load, work) in LOOPS.items():
    seconds, enough = seconds_by_workers(partial(loader_with, load=load), work)
    batch = next(iter(loader_with(0, load)))
    again, _ = seconds_by_workers(lambda _, batch=batch: repeat(batch), work, (0,))
    for n in seconds:
        row = by_workers.setdefault(n, {"workers": n})
        row[f"{loop}_s"] = {"samples": [seconds[n]]}
    slowdown = {"samples": [seconds[0] / again[0]]}
    again_s = {"samples": [again[0]]}
    by_loop.append({"loop": loop, "again_s": again_s, "slowdown": slowdown})
    shown = ", ".join(f"{n}: {seconds[n] * 1e3:.2f}" for n in seconds)
    print(f"{loop:>9}: {shown} ms; again {again[0] * 1e3:.2f} ms; {enough} will do")
rows = list(by_workers.values())
measured = {"by_workers": {"table": rows}, "by_loop": {"table": by_loop}}
