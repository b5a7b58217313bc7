"""
A prefetcher needs two waits
============================

How does a loop compute with one batch while the next is being copied? A generator sends
each batch from pinned memory, in a second stream, before it yields the previous one.
Two waits keep the batches right, and neither blocks the host.
"""

# sphinx_gallery_quiet = "host"
import torch

main, side = torch.cuda.current_stream(), torch.cuda.Stream()


def prefetched(batches):
    def send(batch):
        side.wait_stream(main)  # it may still use the memory that this copy writes
        with torch.cuda.stream(side):
            return batch.to("cuda", non_blocking=True), side.record_event()

    sent = map(send, batches)
    ahead = next(sent, None)
    while ahead:
        (batch, copied), ahead = ahead, next(sent, None)  # the next is on its way
        main.wait_event(copied)  # or the work begins without its data
        yield batch


print(sum(batch.sum() for batch in prefetched([torch.ones(2**24).pin_memory()] * 8)))

# %%
# Are both waits needed? Each is left out while what it waits for is delayed: the work on
# the first batch, or the copies. The delay uses a private function of PyTorch.

import time
from statistics import median
from unittest.mock import patch

TRIES, COUNT, CYCLES = 10, 2**18, 60_000_000  # the last: tens of milliseconds
NUMBERED = [torch.full((COUNT,), i + 1.0).pin_memory() for i in range(8)]
RIGHT = [COUNT * (i + 1) for i in range(8)]
WAITS = {"work": (side, "wait_stream"), "copies": (main, "wait_event")}

# %%
# Each batch is filled with its number, so its sum shows which batch, or what mixture,
# was there. And once everything is queued, do copies still wait, with the host ahead?


def attempt(late):
    torch.cuda.synchronize()
    if late == "copies":
        with torch.cuda.stream(side):
            torch.cuda._sleep(CYCLES)
    sums = []
    for batch in prefetched(NUMBERED):
        if late == "work" and not sums:
            torch.cuda._sleep(CYCLES)
        sums.append(batch.sum())
    host_was_ahead = not side.query()
    return [total.item() for total in sums] != RIGHT, host_was_ahead


# %%
# The same delays, with both waits and with one missing.

table, wrong_with_both, ahead = [], 0, 0
attempt("work"), attempt("copies")  # loads the kernels
for late, wait in WAITS.items():
    complete = [attempt(late) for _ in range(TRIES)]
    wrong_with_both += sum(wrong for wrong, _ in complete)
    ahead += sum(was_ahead for _, was_ahead in complete)
    with patch.object(*wait):
        wrong = sum(attempt(late)[0] for _ in range(TRIES))
    table.append({"without": wait[1], "wrong": wrong})
    print(f"without {wait[1]}: wrong {wrong} of {TRIES}; with both {wrong_with_both}")

# %%
# How much does a balanced loop gain? All is warm, as a first matmul loads a library.

batches = [torch.ones(8192, 8192).pin_memory()] * 8
weight, product = torch.ones(2, 8192, 256, device="cuda")


def seconds(arriving, products):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for batch in arriving:
        for _ in range(products):
            torch.mm(batch, weight, out=product)
    torch.cuda.synchronize()
    return time.perf_counter() - begin


warm_until = time.perf_counter() + 0.3
while time.perf_counter() < warm_until:
    seconds(map(torch.Tensor.cuda, batches), 8), seconds(prefetched(batches), 8)
copying = seconds(map(torch.Tensor.cuda, batches), 0)
products = max(1, round(8 * copying / seconds([batches[0].cuda()] * 8, 8)))

# %%
# The parts alone and the loops take turns. How many batches are on the GPU at once?

balance, speedups, before = [], [], torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
for _ in range(5):
    computing = seconds([batches[0].cuda()] * 8, products)
    balance.append(computing / seconds(map(torch.Tensor.cuda, batches), 0))
    apart = seconds(map(torch.Tensor.cuda, batches), products)
    speedups.append(apart / seconds(prefetched(batches), products))
print(f"balance {median(balance):.2f}: {median(speedups):.2f} times as fast")
measured = {
    "tries": TRIES,
    "tries_with_both": 2 * TRIES,
    "by_wait": {"table": table},
    "wrong_with_both": wrong_with_both,
    "host_ahead": ahead,
    "on_gpu": (torch.cuda.max_memory_allocated() - before) // batches[0].nbytes,
    "balanced_ratio": {"samples": balance},
    "speedup": {"samples": speedups},
}
