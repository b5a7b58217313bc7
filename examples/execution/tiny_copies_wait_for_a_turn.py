"""
Tiny copies wait for a turn
===========================

Do all copies go on while another process uses the GPU? Copies of a few KiB from pinned memory to
the GPU do not: each waits for its turn, as a tiny kernel does. Larger ones, and tiny ones to the
host, take about as long as beside an idle process.
"""

# sphinx_gallery_evidence = {"expected_warnings": ["This process"]}
import time
from multiprocessing import Pipe, get_context
from statistics import median

import torch

# %%
# The other process is forked before CUDA is used. Until the next word it multiplies in FP32 or in
# BF16, adds to a gigabyte, or rests.


def obey(pipe):
    pipe.recv()  # until here, it does not use the GPU
    a, large = torch.randn(4096, 4096, device="cuda"), torch.zeros(2**28, device="cuda")
    b = a.bfloat16()
    works = {
        "multiply": lambda: a @ a,
        "multiply_bf16": lambda: b @ b,
        "add": lambda: large.add_(1),
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
# This process copies in both directions, in several sizes, and awaits each copy; for comparison, it
# awaits a tiny kernel.

SIZES, TINY = (2**10, 2**12, 2**14, 2**16, 2**20), torch.zeros(1, device="cuda")
hosts = {size: torch.zeros(size, dtype=torch.uint8).pin_memory() for size in SIZES}
targets = {size: host.to("cuda") for size, host in hosts.items()}
CALLS, ROUNDS = 10, 5


def seconds(work):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(CALLS):
        work()
        torch.cuda.synchronize()
    return (time.perf_counter() - begin) / CALLS


def to_the_gpu(size):
    return seconds(lambda: targets[size].copy_(hosts[size], non_blocking=True))


def to_the_host(size):
    return seconds(lambda: hosts[size].copy_(targets[size], non_blocking=True))


# %%
# Beside the other process, idle or busy, in an order that turns round with each round. The first
# round warms up, and does not count.

WORDS = "rest", "multiply", "multiply_bf16", "add"
rounds = []
for number in range(ROUNDS + 1):
    took = {}
    for word in WORDS[:: 1 if number % 2 else -1]:
        pipe.send(word)
        pipe.recv()
        time.sleep(0.01)  # by then, the other process is at work
        took["kernel", word] = seconds(lambda: TINY.add_(1))
        for size in SIZES:
            took[size, word] = to_the_gpu(size)
            took[-size, word] = to_the_host(size)
    rounds.append(took)
pipe.send("end")
other.join()

# %%
# How many times as long does each take beside the busy process as beside the idle one?


def slowdown(work, word):
    ratios = [took[work, word] / took[work, "rest"] for took in rounds[1:]]
    print(f"{work:>8}, {word}: {median(ratios):.2f} times as long")
    return {"samples": ratios}


table = []
for size in SIZES:
    row = {"size_bytes": size}
    for word in WORDS[1:]:
        row[f"to_gpu_{word}_slowdown"] = slowdown(size, word)
    table.append(row | {"to_host_multiply_slowdown": slowdown(-size, "multiply")})

# %%
# A minus in these lines means a copy to the host.

kernel = slowdown("kernel", "multiply")
measured = {"kernel_multiply_slowdown": kernel, "by_size": {"table": table}}
