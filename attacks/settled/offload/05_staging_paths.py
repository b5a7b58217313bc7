"""Is the driver's staging one buffer, or two paths? Calls that return behind a held stream, one size after another.

Expect: 63 calls of 64 KiB (4 MiB), 2 of 128 KiB..1 MiB. If one buffer is shared, then after 63 x 64 KiB no 128 KiB call
returns; if there are two paths, 2 still do (and after 2 x 128 KiB, 63 x 64 KiB still do). Also: does a held stream's
full staging hold up a pageable copy in ANOTHER, idle stream?
"""
import json, time
import torch

K = 1024
host = torch.ones(8 << 20, dtype=torch.uint8)
gpu = torch.ones(8 << 20, dtype=torch.uint8, device="cuda")
released = torch.cuda.Event()
HOLD = 120_000_000


def hold(cycles=HOLD):
    torch.cuda.synchronize()
    torch.cuda._sleep(cycles)
    released.record()


def calls(size, limit=2000):
    for n in range(limit):
        gpu[:size].copy_(host[:size], non_blocking=True)
        if released.query():
            return n
    return limit


def emit(**kw):
    print(json.dumps(kw), flush=True)


hold(1000); calls(1024, 5); hold(1000); calls(1 << 20, 5)
row = {}
for size in (4, 16 * K, 32 * K, 48 * K, 64 * K, 64 * K + 1, 65 * K, 96 * K, 128 * K, 256 * K, 512 * K, 1 << 20, 3 << 19, 2 << 20, 3 << 20, 4 << 20):
    hold()
    row[size] = calls(size)
emit(case="sweep", returned=row)
for first, second, n in ((64 * K, 128 * K, 63), (64 * K, 1 << 20, 63), (128 * K, 64 * K, 2), (1 << 20, 64 * K, 2), (1 << 20, 128 * K, 1), (64 * K, 64 * K, 32), (64 * K, 128 * K, 62), (64 * K, 128 * K, 40)):
    hold()
    early = 0
    for _ in range(n):
        gpu[:first].copy_(host[:first], non_blocking=True)
        early += not released.query()
    emit(case="mixed", first=first, n=n, first_early=early, second=second, second_returned=calls(second))
# another stream, idle, while this one is held and its staging is full
side = torch.cuda.Stream()
for size, n in ((64 * K, 63), (1 << 20, 2), (4, 0)):
    for other in (64 * K, 1 << 20, 8 << 20):
        hold()
        for _ in range(n):
            gpu[:size].copy_(host[:size], non_blocking=True)
        began_early = not released.query()
        with torch.cuda.stream(side):
            t = time.perf_counter()
            gpu[:other].copy_(host[:other], non_blocking=True)
            dt = time.perf_counter() - t
        emit(case="other_stream", filled=[size, n], early_before=began_early, other=other, returned_early=not released.query(), ms=round(dt * 1e3, 3))
# repeat the sweep in a side stream as the held one
with torch.cuda.stream(side):
    row = {}
    for size in (64 * K, 128 * K, 1 << 20):
        torch.cuda.synchronize(); torch.cuda._sleep(HOLD); released.record()
        row[size] = calls(size)
    emit(case="sweep_in_side_stream", returned=row)
