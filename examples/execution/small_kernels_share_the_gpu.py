"""
Small kernels share the GPU
===========================

Do kernels in two streams run at the same time? They do if the GPU has room for both, and if
the host queues them early enough. Large kernels fill the GPU and gain nothing; small ones end
before the host has launched the next.
"""

import time
from statistics import median

import torch

a, b = torch.cuda.Stream(), torch.cuda.Stream()
x = torch.randn(512, 512, device="cuda")
for stream in (a, b):
    stream.wait_stream(torch.cuda.current_stream())  # it makes x
    with torch.cuda.stream(stream):
        x @ x  # two matmuls that may run at the same time
for stream in (a, b):
    torch.cuda.current_stream().wait_stream(stream)

# %%
# The FP32 matmuls have several sizes, with fewer calls where each takes longer. The two halves of
# the work have their own operands, and the host alternates between the two halves.

SIZES = (128, 256, 512, 1024, 2048, 4096)
ROUNDS, LARGEST, TURNS = 4, 16384, 4
HOLD = 20_000_000  # cycles of the GPU's clock: about ten milliseconds
here = torch.cuda.current_stream()
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))


def matmuls(stream, size, operands):
    factor, product = operands
    with torch.cuda.stream(stream):
        for _ in range(LARGEST // size // TURNS):
            torch.mm(factor, factor, out=product)


# %%
# The same work goes to two streams or to one. If the current stream is held first, all of the work
# is queued before any of it starts: the rest is up to the GPU. A round in which the host was
# too slow does not count. ``torch.cuda._sleep`` is private to PyTorch and may change.


def seconds(streams, size, operands, is_held):
    torch.cuda.synchronize()
    if is_held:
        torch.cuda._sleep(HOLD)
    begin.record()
    for stream in {*streams}:
        stream.wait_event(begin)
    for _ in range(TURNS):
        for stream, pair in zip(streams, operands):
            matmuls(stream, size, pair)
    in_time = not begin.query()
    for stream in {*streams}:
        here.wait_stream(stream)
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3, in_time


# %%
# Warm up for half a second, with every size in both streams, because each stream has its own
# workspace. Then the two ways take turns, and they also take turns to come first.


def operands_of(size):
    return [torch.randn(2, size, size, device="cuda").unbind() for _ in range(2)]


sizes = {size: operands_of(size) for size in SIZES}
warm_until = time.perf_counter() + 0.5
while time.perf_counter() < warm_until:
    for size, operands in sizes.items():
        seconds((a, b), size, operands, False)

table = []
for size, operands in sizes.items():
    gains = {True: [], False: []}
    for turn in range(ROUNDS):
        for is_held, found in gains.items():
            took, in_time = {}, {}
            for used in ((a, a), (a, b))[:: -1 if turn % 2 else 1]:
                took[used], in_time[used] = seconds(used, size, operands, is_held)
            if not is_held or all(in_time.values()):
                found.append(took[a, a] / took[a, b])
    row = {"size": size, "queued_speedup": {"samples": gains[True]}}
    table.append(row | {"launched_speedup": {"samples": gains[False]}})
    queued, launched = (median(found) for found in gains.values())
    print(f"{size:>5}: queued before {queued:.2f}, launched as usual {launched:.2f}")

# %%
# Record the speedups of two streams over one.

measured = {"by_size": {"table": table}}
