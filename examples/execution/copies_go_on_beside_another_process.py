"""
Copies go on beside another process
===================================

Do copies of two processes take turns, as kernels do? A copy between pinned memory and the GPU goes
on at its speed while another process computes. A copy within the GPU takes turns. While the other
process copies in the same direction, both share the link.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
import time
from multiprocessing import Pipe, get_context
from statistics import median

import torch

# %%
# The other process is forked before CUDA is used. Until the next word it multiplies, runs a kernel
# of one thread that only sleeps, or copies from its own pinned memory to the GPU.

SIZE = 4096  # rows of the matrices: a product takes milliseconds in FP32
BYTES, SMALL = 2**28, 2**16  # the large copy takes milliseconds on the link
HOLD = 5_000_000  # cycles; _sleep is private to PyTorch and may change


def memory(size):
    host = torch.ones(size, dtype=torch.uint8).pin_memory()
    return host, host.to("cuda"), torch.zeros(size, dtype=torch.uint8, device="cuda")


def obey(pipe):
    pipe.recv()  # until here, it does not use the GPU
    a, (host, target, _) = torch.randn(SIZE, SIZE, device="cuda"), memory(BYTES)
    works = {
        "multiply": lambda: a @ a,
        "sleep": lambda: torch.cuda._sleep(HOLD),
        "copy": lambda: target.copy_(host, non_blocking=True),
    }
    for work in works.values():  # loads the kernels
        work()
    torch.cuda.synchronize()
    for word in iter(pipe.recv, "end"):
        pipe.send(word)
        while word in works and not pipe.poll():
            works[word]()
            torch.cuda.synchronize()


pipe, other_end = Pipe()
other = get_context("fork").Process(target=obey, args=(other_end,))
other.start()
pipe.send("begin")

# %%
# This process copies in three directions, large and small, and multiplies for comparison. Of short
# calls, more are queued before the host waits, except that it awaits each small copy alone.

(host, here, there), (short, tiny, _) = memory(BYTES), memory(SMALL)
a = torch.randn(SIZE, SIZE, device="cuda")
WORKS = {
    "to the GPU": (lambda: here.copy_(host, non_blocking=True), 3),
    "to the host": (lambda: host.copy_(here, non_blocking=True), 3),
    "within the GPU": (lambda: there.copy_(here), 80),
    "to the GPU, small": (lambda: tiny.copy_(short, non_blocking=True), 1),
    "to the host, small": (lambda: short.copy_(tiny, non_blocking=True), 1),
    "product": (lambda: a @ a, 4),
}


def seconds(work, calls):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(calls):
        work()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# Beside the other process, idle or busy, in an order that turns round with each round. The first
# round warms up, and does not count.

WORDS, ROUNDS, TRIES = ("rest", "multiply", "sleep", "copy"), 5, 3
took = {(work, word): [] for work in WORKS for word in WORDS}
for number in range(ROUNDS + 1):
    for word in WORDS[:: 1 if number % 2 else -1]:
        pipe.send(word)
        pipe.recv()
        time.sleep(0.01)  # by then, the other process is at work
        for work, (call, calls) in WORKS.items():
            tries = [seconds(call, calls) for _ in range(TRIES)]
            if number:
                took[work, word].append(median(tries))
pipe.send("end")
other.join()

# %%
# How many times as long does each work take beside each busy process as beside the idle one?

table = [{"work": work} for work in WORKS]
for row in table:
    alone = took[row["work"], "rest"]
    for word in WORDS[1:]:
        ratios = [two / one for two, one in zip(took[row["work"], word], alone)]
        row[f"{word}_slowdown"] = {"samples": ratios}
        print(f"{row['work']}, {word}: {median(ratios):.2f} times as long")

measured = {"large_bytes": BYTES, "small_bytes": SMALL, "by_work": {"table": table}}
