"""
Threads may drop their pinned sources
=====================================

May each of several threads drop a pinned tensor while its copy waits in the thread's own stream?
And if one thread fills the tensor, and another copies and drops it? A block that was handed to the
next tensor too early would be overwritten before the GPU has read it.
"""

# sphinx_gallery_quiet = "host"
import queue
import threading

import torch

COUNT = 2**16  # whole numbers: 256 KiB

stream = torch.cuda.Stream()
with torch.cuda.stream(stream):
    source = torch.full((COUNT,), 7, dtype=torch.int32, pin_memory=True)
    target = source.to("cuda", non_blocking=True)
    del source  # the copy may not have begun
    print(f"the copy has {target[0].item()} in it")

# %%
# Each thread has a stream, which a sleeping kernel holds before each copy (its function is private
# to PyTorch and may change). Each tensor has a number of its own; the GPU counts those that arrive
# with another one. After some rounds, a thread waits, so that blocks come back.

THREADS, ROUNDS, HELD = 8, 1250, 100  # rounds that are held up at once
CYCLES = 2_000_000  # about a millisecond: longer than a round of all threads
streams = [torch.cuda.Stream() for _ in range(THREADS)]


def fill(number):
    return torch.full((COUNT,), number, dtype=torch.int32, pin_memory=True)


def send(source, number, wrong):
    torch.cuda._sleep(CYCLES)
    target = source.to("cuda", non_blocking=True)
    wrong += (target != number).any()


def alone(thread, wrong):
    for turn in range(ROUNDS):
        number = thread * ROUNDS + turn
        yield send(fill(number), number, wrong)


def refilled(thread, wrong):
    source = fill(0)
    for turn in range(ROUNDS):
        number = thread * ROUNDS + turn + 1
        source.fill_(number)
        yield send(source, number, wrong)


filled = [queue.Queue(maxsize=4) for _ in range(THREADS)]


def fill_for_another(thread):
    for turn in range(ROUNDS):
        number = thread * ROUNDS + turn
        filled[thread].put((fill(number), number))


def handed_over(thread, wrong):
    maker = threading.Thread(target=fill_for_another, args=(thread,))
    maker.start()
    for _ in range(ROUNDS):
        yield send(*filled[thread].get(), wrong)
    maker.join()


# %%
# Run all threads of a way. The last way is wrong on purpose: it writes to one tensor again and
# again, and shows that a wrong copy would be seen.


def run(way, thread, totals):
    with torch.cuda.stream(streams[thread]):
        wrong = torch.zeros((), dtype=torch.int64, device="cuda")
        for turn, _ in enumerate(way(thread, wrong)):
            if turn % HELD == HELD - 1:
                streams[thread].synchronize()
        totals[thread] = wrong.item()


def made():
    return torch.cuda.host_memory_stats()["num_host_alloc"]


run(alone, 0, {})  # loads the kernels
table = []
for way in (alone, handed_over, refilled):
    before, totals = made(), {}
    threads = [
        threading.Thread(target=run, args=(way, thread, totals))
        for thread in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    row = {"way": way.__name__, "threads": len(totals), "copies": len(totals) * ROUNDS}
    blocks = made() - before
    row |= {"all_right": sum(totals.values()) == 0, "reused": blocks < ROUNDS}
    table.append(
        row | {"wrong_share": {"samples": [sum(totals.values()) / row["copies"]]}}
    )
    print(table[-1], f"{blocks} blocks made")

# %%
# Blocks were used again if fewer were made than one thread has rounds.

measured = {"copy_bytes": 4 * COUNT, "by_way": {"table": table}}
