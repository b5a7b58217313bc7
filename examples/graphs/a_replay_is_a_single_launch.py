"""
A replay is a single launch
===========================

What does a CUDA graph gain? The time in which the host calls and launches each kernel. Small
kernels run several times as fast in a replay; large kernels, or a single one, gain nothing.
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

SIZES = [2**n for n in range(10, 27, 2)]  # up to 256 MiB, far more than the cache holds
COUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
KERNELS, SMALL, ROUNDS = 50, 1024, 9


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
# The time on the GPU alone: all of the work is queued while the GPU still sleeps. (``_sleep`` is
# private to PyTorch and may change.)

first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def gpu_seconds(run):
    torch.cuda._sleep(4_000_000)  # about two milliseconds
    first.record()
    run()
    last.record()
    is_queued = not first.query()
    torch.cuda.synchronize()
    return first.elapsed_time(last) / 1e3 if is_queued else None


# %%
# Loops and replays take turns, after a warm-up for a set time.

warm_until = time.perf_counter() + 0.4
while time.perf_counter() < warm_until:
    for runs in (*by_size.values(), *by_count.values()):
        seconds(runs[0]), seconds(runs[1])


def compared(take, runs):
    pairs = [[take(run) for run in runs] for _ in range(ROUNDS)]
    return [pair for pair in pairs if None not in pair]


def row(found, kernels):
    called, replayed = ([pair[i] / kernels for pair in found] for i in range(2))
    gain = {"samples": [loop / replay for loop, replay in found]}
    times = {"loop_s": {"samples": called}, "replay_s": {"samples": replayed}}
    return {**times, "speedup": gain}


sizes, counts = [], []
for size, runs in by_size.items():
    on_gpu = row(compared(gpu_seconds, runs), KERNELS)["speedup"]
    found = row(compared(seconds, runs), KERNELS)
    sizes.append({"size": size, **found, "gpu_speedup": on_gpu})
for count, runs in by_count.items():
    counts.append({"kernels": count, **row(compared(seconds, runs), count)})
print(sizes[0], counts[-1], sep="\n")

measured = {
    "by_size": {"table": sizes},
    "by_count": {"table": counts},
    "kernels": KERNELS,
    "small": SMALL,
}
