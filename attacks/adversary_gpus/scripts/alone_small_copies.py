"""Claim small-copies-between-gpus-gain-little: "Small copies gain little from the direct route:
at 64 KiB, it is 1.19x as fast as the route through pinned host memory" (timed with two
synchronize() of both GPUs for each copy, which both routes pay).

Attack: 200 copies in a row, both GPUs synchronized once: with the host's clock, and for the
direct route by events, too. Sizes 4 KiB to 1 MiB, both directions. A direct copy needs no
synchronization of the host, the route through the host does.

Refuted if at 64 KiB the direct route is at least 1.6 times as fast (the check's upper bound).
"""
import time
from statistics import median
import torch

N = 200
claim = "small-copies-between-gpus-gain-little"


def sync():
    torch.cuda.synchronize(0)
    torch.cuda.synchronize(1)


over = {}
for src, dst in ((0, 1), (1, 0)):
    for size in (2**12, 2**16, 2**20):
        x = torch.zeros(size, dtype=torch.uint8, device=f"cuda:{src}")
        y = torch.zeros(size, dtype=torch.uint8, device=f"cuda:{dst}")
        pinned = torch.zeros(size, dtype=torch.uint8, pin_memory=True)

        def direct():
            y.copy_(x)

        def through_pinned():
            pinned.copy_(x)
            y.copy_(pinned, non_blocking=True)

        def loop(way, count):
            sync()
            begin = time.perf_counter()
            for _ in range(count):
                way()
            sync()
            return (time.perf_counter() - begin) / count

        warm = time.perf_counter() + 0.1
        while time.perf_counter() < warm:
            loop(direct, 20), loop(through_pinned, 20)
        for count in (1, N):
            times = {w.__name__: median(loop(w, count) for _ in range(7)) for w in (direct, through_pinned)}
            ratio = times["through_pinned"] / times["direct"]
            over[src, size, count] = ratio
            print(f"attack: {claim}: {size} bytes, cuda:{src}->cuda:{dst}, {count} in a row: direct {times['direct'] * 1e6:.1f} us, through pinned {times['through_pinned'] * 1e6:.1f} us, {ratio:.2f} times as fast")
        with torch.cuda.device(src):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(20_000_000)
            begin.record()
            for _ in range(50):
                y.copy_(x)
            end.record()
            sync()
            print(f"attack: {claim}: {size} bytes, cuda:{src}->cuda:{dst}: direct on the GPU by events {begin.elapsed_time(end) / 50 * 1e3:.1f} us each")
worst = max(over[s, 2**16, N] for s in (0, 1))
word = "REFUTED" if worst >= 1.6 else "NOT REFUTED"
print(f"verdict: {word} {claim}: at 64 KiB, {worst:.2f} times as fast in a row of {N}; one at a time {over[0, 2**16, 1]:.2f}")
