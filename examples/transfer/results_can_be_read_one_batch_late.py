"""
Results can be read one batch late
==================================

How does the host get each result right without making the GPU wait? It records an event behind
each copy, and waits for that event only when the next batch is queued. Waiting for the same event
immediately makes the copy a blocking one.
"""

# sphinx_gallery_quiet = "host"
import torch


def one_batch_late(results):
    waiting = []
    for result in results:
        host = result.to("cpu", non_blocking=True)  # returns before it is filled
        waiting.append((host, torch.cuda.current_stream().record_event()))
        if len(waiting) > 1:  # the GPU has work: now read the previous result
            host, copied = waiting.pop(0)
            copied.synchronize()
            yield host
    for host, copied in waiting:
        copied.synchronize()
        yield host


batches = torch.rand(10, 1024, 1024, device="cuda")
for result in one_batch_late(batch @ batch for batch in batches):
    print(result.mean())

# %%
# Three more variants: waiting for the event immediately, a blocking copy, and no wait at all.

import time
from itertools import count
from statistics import median


def at_once(results):
    for result in results:
        host = result.to("cpu", non_blocking=True)
        torch.cuda.current_stream().record_event().synchronize()
        yield host


def blocking(results):
    for result in results:
        yield result.cpu()


def never(results):
    for result in results:
        yield result.to("cpu", non_blocking=True)


# %%
# The results are known: each is filled with one number, and no number occurs twice. A kernel that
# only sleeps stands in for the work on the GPU.

STEPS, SMALL, LARGE = 10, 2**10, 2**20  # floats: 4 KiB and 4 MiB
numbers = count()


def known(size, cycles):
    for _ in range(STEPS):
        if cycles:
            torch.cuda._sleep(cycles)
        yield torch.full((size,), float(next(numbers)), device="cuda")


# %%
# The host checks a result, or the beginning of a large one, and may work for a while.


def run(way, size, cycles, work_s):
    torch.cuda.synchronize()
    expected, wrong, begin = count(next(numbers) + 1), 0, time.perf_counter()
    for host in way(known(size, cycles)):
        wrong += bool((host[:SMALL] != next(expected)).any())
        until = time.perf_counter() + work_s
        while time.perf_counter() < until:
            pass
    return wrong, time.perf_counter() - begin


WAYS = (one_batch_late, at_once, blocking, never)
warm_until = time.perf_counter() + 0.1  # by time, not by count: the clocks must ramp up
while time.perf_counter() < warm_until:
    for way in WAYS:
        run(way, SMALL, 1000, 0), run(way, LARGE, 0, 0)

# %%
# Give the host and the GPU some milliseconds of work each; then none, with results of both sizes.

WORK_S, CYCLES = 0.005, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
cycles = int(WORK_S * CYCLES / (begin.elapsed_time(end) / 1e3))
CASES = {"busy": (SMALL, cycles, WORK_S), "idle": (SMALL, 0, 0), "large": (LARGE, 0, 0)}
ROUNDS = {"busy": 3, "idle": 31, "large": 7}

# %%
# The variants take turns. A speedup compares another variant with reading late.

table, wrong = [], dict.fromkeys(WAYS, 0)
for case, load in CASES.items():
    runs = [{way: run(way, *load) for way in WAYS} for _ in range(ROUNDS[case])]
    row = {"case": case, "result_bytes": 4 * load[0]}
    for way in (at_once, blocking):
        ratios = [times[way][1] / times[one_batch_late][1] for times in runs]
        row[f"over_{way.__name__}_speedup"] = {"samples": ratios}
        print(f"{case}: late over {way.__name__}: {median(ratios):.2f}")
    table.append(row)
    for way in WAYS if case == "busy" else ():
        wrong[way] = sum(times[way][0] for times in runs)
measured = {"results": STEPS * ROUNDS["busy"], "by_case": {"table": table}}
measured |= {f"wrong_{way.__name__}": number for way, number in wrong.items()}
