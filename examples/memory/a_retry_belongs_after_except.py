"""
A retry belongs after except
============================

How can a program go on with less after "CUDA out of memory"? It must leave the ``except`` block
first: there, the exception keeps the frames of the failed attempt, and with them their tensors.
"""

# sphinx_gallery_quiet = "nothing"
import gc

import torch


def run_in_parts(step, rows, parts=1):
    """Call the step with all rows, then with ever smaller parts of them."""
    while parts <= rows:
        size = -(-rows // parts)
        try:
            return [step(min(size, rows - at)) for at in range(0, rows, size)]
        except torch.OutOfMemoryError:
            pass  # leave the block first: the exception keeps the tensors of the step
        parts *= 2
    raise RuntimeError("not even a single row fits")


# %%
# A step takes three tensors of a MiB a row. The limit is enough for eighty rows, but not for a
# hundred.

MIB, TRIES = 2**20, 20
total = torch.cuda.get_device_properties(0).total_memory
torch.cuda.set_per_process_memory_fraction((256 * MIB + 1024) / total)


def step(rows):
    first = torch.empty(rows * MIB, dtype=torch.uint8, device="cuda")
    second = torch.empty_like(first)
    third = torch.empty_like(first)
    return third.nbytes + second.nbytes - first.nbytes


# %%
# Ways to try again with half of the rows.


def inside():
    try:
        return step(100)
    except torch.OutOfMemoryError:
        return step(50)


def emptied_inside():
    try:
        return step(100)
    except torch.OutOfMemoryError:
        torch.cuda.empty_cache()
        return step(50)


def with_the_exception_kept():
    try:
        return step(100)
    except torch.OutOfMemoryError as error:
        kept = [error]
    return step(50), kept


def after():
    try:
        return step(100)
    except torch.OutOfMemoryError:
        pass
    return step(50)


def in_parts():
    return sum(run_in_parts(step, 100))


# %%
# How often does the second attempt get its memory?

WAYS = (inside, emptied_inside, with_the_exception_kept, after, in_parts)


def trial(way):
    gc.collect()  # a kept exception and its frame form a cycle
    try:
        return bool(way())
    except torch.OutOfMemoryError:
        return False


table = [{"way": w.__name__.replace("_", " ")} for w in WAYS]
for row, way in zip(table, WAYS, strict=True):
    row["worked"] = sum(trial(way) for _ in range(TRIES))
    print(row)
torch.cuda.empty_cache()
step(80)  # fits: the attempts with 50 rows did not fail for want of room
measured = {"tries": TRIES, "by_way": {"table": table}}
