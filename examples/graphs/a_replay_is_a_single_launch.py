"""
A replay is a single launch
===========================

What does a CUDA graph gain? The time in which the host calls and launches each kernel. Small
kernels run several times as fast in a replay; large kernels gain nothing, and a short graph gains
less than a long one.
"""

import torch
from torch.utils.benchmark import Timer

x = torch.zeros(1024, device="cuda")


def work():
    for _ in range(100):
        x.add_(1)


work()  # loads the kernel
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    work()
for run in (work, graph.replay):
    took = Timer("run()", globals={"run": run}).timeit(100)
    print(f"{took.mean * 1e4:.1f} µs for each kernel")

# %%
# Chains of kernels, each of which waits for the one before: of several sizes, and of several
# lengths. Each chain is called in a loop and captured in a graph.

import time
from statistics import median

SIZES = [2**n for n in range(10, 27, 2)]  # up to 256 MiB, far more than the cache holds
COUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
KERNELS, SMALL, ROUNDS = 50, 1024, 15


def chain(size, count):
    x = torch.zeros(size, device="cuda")

    def call():
        for _ in range(count):
            x.add_(1)

    call()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return call, graph.replay


by_size = {size: chain(size, KERNELS) for size in SIZES}
by_count = {count: chain(SMALL, count) for count in COUNTS}

# %%
# The time until the GPU is done, as the host sees it.


def seconds(run):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return time.perf_counter() - begin


# %%
# Loops and replays take turns, after a warm-up for a set time.

warm_until = time.perf_counter() + 0.4
while time.perf_counter() < warm_until:
    for runs in (*by_size.values(), *by_count.values()):
        seconds(runs[0]), seconds(runs[1])


def row(runs, kernels):
    pairs = [[seconds(run) for run in runs] for _ in range(ROUNDS)]
    loops, replays = ([pair[i] / kernels for pair in pairs] for i in range(2))
    times = {"loop_s": {"samples": loops}, "replay_s": {"samples": replays}}
    gain = [loop / replay for loop, replay in zip(loops, replays)]
    print(f"{kernels} kernels: {median(gain):.1f} times as fast")
    return {**times, "speedup": {"samples": gain}}


sizes = [{"size": size, **row(runs, KERNELS)} for size, runs in by_size.items()]
counts = [{"kernels": count, **row(runs, count)} for count, runs in by_count.items()]

measured = {
    "by_size": {"table": sizes},
    "by_count": {"table": counts},
    "kernels": KERNELS,
    "small": SMALL,
}
