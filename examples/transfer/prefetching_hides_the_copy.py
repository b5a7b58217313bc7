"""
Prefetching hides the copy
==========================

How does the next batch reach the GPU while the current one is in use? Through two buffers on the
host and two on the GPU, a separate stream for the copies, and waits. The longer part remains.
"""

# sphinx_gallery_quiet = "host"
import time
from statistics import median

import torch

# %%
# Batches alternate between two buffers on each side. Events tell when a buffer is free.

BATCHES, SHAPE = 12, (8192, 1024)  # 16 MiB a batch
pinned = [torch.zeros(SHAPE).bfloat16().pin_memory() for _ in range(2)]
on_gpu = [torch.empty_like(buffer, device="cuda") for buffer in pinned]
copied = [torch.cuda.Event() for _ in range(2)]
consumed = [torch.cuda.Event() for _ in range(2)]
main, side = torch.cuda.current_stream(), torch.cuda.Stream()

# %%
# The host only pretends to read a batch, so that reading is not what is timed.


def send(index):
    turn = index % 2
    copied[turn].synchronize()  # or the host fills what is still being copied
    pinned[turn][::1024] = index  # stands in for reading the batch
    side.wait_event(consumed[turn])  # or the copy overwrites what is still in use
    with torch.cuda.stream(side):
        on_gpu[turn].copy_(pinned[turn], non_blocking=True)
        copied[turn].record()


# %%
# Send the next batch before handing out the current one: the caller may wait for its result, but
# the next copy does not have to.


def prefetched():
    side.wait_stream(main)  # the buffers may be memory that earlier work still uses
    send(0)
    for index in range(BATCHES):
        if index + 1 < BATCHES:
            send(index + 1)
        main.wait_event(copied[index % 2])  # or the work begins without its data
        yield on_gpu[index % 2]
        consumed[index % 2].record(main)


# %%
# One by one, the host waits for each copy, which waits for the last computation.


def one_by_one():
    for index in range(BATCHES):
        pinned[0][::1024] = index
        yield on_gpu[0].copy_(pinned[0])


# %%
# The computation ends with sums over the batch. Time it until the GPU is idle.

weight = torch.eye(SHAPE[1], device="cuda").bfloat16()
product = torch.empty_like(on_gpu[0])
sums = torch.empty(BATCHES, SHAPE[1], device="cuda")


def compute(batches, products):
    for index, batch in enumerate(batches):
        for _ in range(products):
            torch.mm(batch, weight, out=product)
        torch.sum(product, 0, dtype=torch.float32, out=sums[index])


def seconds(work, *arguments):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    work(*arguments)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# Warm up by time, not by count. Both loops must give the same sums.

warm_until = time.perf_counter() + 0.1
while time.perf_counter() < warm_until:
    seconds(compute, one_by_one(), 8)
    expected = sums.clone()
    sums.zero_()
    seconds(compute, prefetched(), 8)
equal = torch.equal(sums, expected) and len(expected.unique()) == BATCHES
print(f"same sums: {equal}")

# %%
# Time the two parts alone as well: the longer one is the best possible time.

names = ("compute_over_copy_ratio", "speedup", "over_longer_ratio")
table, same = [], on_gpu[:1] * BATCHES
for products in (1, 3, 6, 12, 24, 48):
    rows = []
    for _ in range(3):
        copying = seconds(list, (one.copy_(pinned[0], True) for one in same))
        computing = seconds(compute, same, products)
        apart = seconds(compute, one_by_one(), products)
        beside = seconds(compute, prefetched(), products)
        over_longer = beside / max(copying, computing)
        rows.append((computing / copying, apart / beside, over_longer))
    columns = ({"samples": list(column)} for column in zip(*rows))
    table.append({"products": products} | dict(zip(names, columns)))
    print(*(f"{name}: {median(table[-1][name]['samples']):.2f}" for name in names))

# %%
# The ratios compare computing with copying, and prefetching with the longer part.

measured = {"by_products": {"table": table}, "equal": equal}
