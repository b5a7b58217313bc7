"""
A prefetched loader needs both waits
====================================

A prefetching loop has two lines that wait: the computation waits for the copy, and the
copy for the computation. Can either be left out? No: without the first, the batch is
not there yet, and without the second, the next batch overwrites it.
"""

import time
from itertools import chain

import torch

# %%
# The loop, with or without its waits. An argument holds its copies for a while.

COUNT, BATCHES, TRIES = 2**18, 8, 20  # floats in a batch: 1 MiB


def prefetched(loader, without=None, held=0):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    with torch.cuda.stream(side):
        torch.cuda._sleep(held)
    for batch in chain(loader, [()]):
        if without != "arrival":
            main.wait_stream(side)
        if without != "reuse":
            side.wait_stream(main)
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if ready:
            yield ready


# %%
# One try. Each batch is filled with its number, which differs from try to try, so what
# an earlier try left in GPU memory is never right.

pinned = [[torch.empty(COUNT, pin_memory=True)] for _ in range(BATCHES)]
tries = 0


def is_wrong(without=None, held=None, cycles=0):
    global tries
    torch.cuda.synchronize()
    tries += 1
    right = [BATCHES * (tries % 7) + number + 1 for number in range(BATCHES)]
    for number, (x,) in zip(right, pinned):
        x.fill_(number)
    means = []
    for (x,) in prefetched(pinned, without, cycles if held == "copies" else 0):
        if held == "work" and not means:
            torch.cuda._sleep(cycles)
        means.append(x.sum() / COUNT)
    return [mean.item() for mean in means] != right


# %%
# The warm-up runs every kernel for a fixed time. How many cycles make a few
# milliseconds?

warm_until = time.perf_counter() + 0.1
while time.perf_counter() < warm_until:
    is_wrong(held="work", cycles=1000)
HOLD_S, CYCLES = 0.01, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
cycles = int(HOLD_S * CYCLES / (begin.elapsed_time(end) / 1e3))

# %%
# Leave out each wait while the copies or the work on the first batch are held, and keep
# both waits under the same conditions.

wrong = {without: {} for without in (None, "arrival", "reuse")}
for without, by_held in wrong.items():
    for held in ("copies", "work"):
        by_held[held] = sum(is_wrong(without, held, cycles) for _ in range(TRIES))
        print(f"without {without}, {held} held: wrong {by_held[held]} of {TRIES}")

# %%
# The number of tries in which any batch was wrong.

measured = {
    "tries": TRIES,
    "wrong_without_arrival": wrong["arrival"]["copies"],
    "wrong_without_reuse": wrong["reuse"]["work"],
    "all_tries": 2 * TRIES,
    "wrong_with_both": sum(wrong[None].values()),
}
