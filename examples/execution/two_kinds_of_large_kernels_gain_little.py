"""
Two kinds of large kernels gain little
======================================

Does a kernel that mostly computes leave room for one that mostly moves memory? With large kernels,
a matmul and another kernel in two streams take about as long as in one stream, in FP32 and in BF16.
"""

import time
from statistics import median

import torch

# %%
# The matmul is large, and so is the other kernel, which reads a gigabyte: an addition, a sum, a
# softmax over rows, or a lookup of rows. All write into memory that is there already.

MATMULS = {"FP32": (4096, torch.float32), "BF16": (8192, torch.bfloat16)}
x = torch.rand(2**28, device="cuda").view(-1, 4096)
y, total = torch.empty_like(x), torch.zeros((), device="cuda")
rows = torch.randint(0, len(x), (len(x),), device="cuda")
OTHERS = {
    "addition": lambda: torch.add(x, 1, out=y),
    "sum": lambda: torch.sum(x, dim=(0, 1), out=total),
    "softmax": lambda: torch.softmax(x, 1, out=y),
    "lookup": lambda: torch.index_select(x, 0, rows, out=y),
}


def matmul_of(size, dtype):
    a, b, out = torch.randn(3, size, size, device="cuda", dtype=dtype)
    return lambda: torch.mm(a, b, out=out)


# %%
# The current stream is held until all is queued, and the two streams wait for it: the rest is up to
# the GPU. Calls alternate, in both orders. ``torch.cuda._sleep`` is private and may change.

HOLD = 10_000_000  # cycles of the GPU's clock: some five milliseconds
PART = 8e-3  # seconds of each kind of work
here = torch.cuda.current_stream()
one, two = torch.cuda.Stream(), torch.cuda.Stream()
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def seconds(works):
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD)
    begin.record()
    for stream in (one, two):
        stream.wait_event(begin)
    for turn in range(max(calls for *_, calls in works)):
        for stream, work, calls in works:
            if turn < calls:
                with torch.cuda.stream(stream):
                    work()
    assert not begin.query(), "the host was too slow"
    for stream in (one, two):
        here.wait_stream(stream)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


# %%
# Warm up in both streams, which also loads the kernels. Each kind of work is called so often that
# it takes about as long as the other, alone. At best, two streams would take as long as one kind.


def calls_of(work):
    for stream in (one, two):
        with torch.cuda.stream(stream):
            work()
    warm_until = time.perf_counter() + 0.1
    while time.perf_counter() < warm_until:
        seconds([(one, work, 2), (two, work, 2)])
    alone = median(seconds([(one, work, 4)]) for _ in range(3)) / 4
    return alone, max(1, round(PART / alone))


ROUNDS = 6
table = []
for dtype, shape in MATMULS.items():
    matmul = matmul_of(*shape)
    alone, calls = calls_of(matmul)
    for name, other in OTHERS.items():
        other_alone, other_calls = calls_of(other)
        gains = []
        for turn in range(ROUNDS):
            pair = [(matmul, calls), (other, other_calls)][:: -1 if turn % 2 else 1]
            ways = ((one, one), (one, two))[:: -1 if turn // 2 % 2 else 1]
            took = {
                way: seconds([(stream, *work) for stream, work in zip(way, pair)])
                for way in ways
            }
            gains.append(took[one, one] / took[one, two])
        row = {"pair": f"{dtype} and {name}", "speedup": {"samples": gains}}
        share = other_calls * other_alone / (calls * alone)
        table.append(row | {"times_ratio": {"samples": [share]}})
        print(f"{dtype} matmul and {name}: {median(gains):.2f} times as fast")

# %%
# The speedup of two streams over one, and how long the other work takes alone, over the matmuls.

measured = {"by_pair": {"table": table}}
