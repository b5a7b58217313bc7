"""
Results can be read one batch late
==================================

How does the host get each result right, and without making the GPU wait? Behind each
copy it records an event, and waits for that only when the next batch is queued. Waited
for at once, the same event makes the copy a blocking one.
"""

import torch


def one_batch_late(results):
    waiting = []
    for result in results:
        host = result.to("cpu", non_blocking=True)  # returns before it is filled
        waiting.append((host, torch.cuda.current_stream().record_event()))
        if len(waiting) > 1:  # the GPU has work: time for the result before this one
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
# Three more ways: the event waited for at once, a blocking copy, and no wait at all.

import time
from itertools import count


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
# Results that are known: each is full of one number, and no number comes twice. A
# kernel that only sleeps stands for the work of the GPU.

COUNT, STEPS, ROUNDS = 2**10, 10, 3
numbers = count()


def known(cycles):
    for _ in range(STEPS):
        if cycles:
            torch.cuda._sleep(cycles)
        yield torch.full((COUNT,), float(next(numbers)), device="cuda")


# %%
# The host compares each result with what it should be, and then works for a while too.


def run(way, cycles=0, work_s=0):
    torch.cuda.synchronize()
    expected, wrong, begin = count(next(numbers) + 1), 0, time.perf_counter()
    for host in way(known(cycles)):
        wrong += bool((host != next(expected)).any())
        until = time.perf_counter() + work_s
        while time.perf_counter() < until:
            pass
    return wrong, time.perf_counter() - begin


WAYS = (one_batch_late, at_once, blocking, never)
warm_until = time.perf_counter() + 0.1  # by time, not by count: clocks take it to rise
while time.perf_counter() < warm_until:
    for way in WAYS:
        run(way, cycles=1000)

# %%
# Some milliseconds of work for each, host and GPU; and none for either.

WORK_S, CYCLES = 0.005, 10_000_000
begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
begin.record()
torch.cuda._sleep(CYCLES)
end.record()
end.synchronize()
cycles = int(WORK_S * CYCLES / (begin.elapsed_time(end) / 1e3))

# %%
# The ways take turns. A speedup is the time of another way over that of the late one.

table, wrong = [], dict.fromkeys(WAYS, 0)
for case, load in {"busy": (cycles, WORK_S), "idle": (0, 0)}.items():
    runs = [{way: run(way, *load) for way in WAYS} for _ in range(ROUNDS)]
    row = {"case": case}
    for way in (at_once, blocking):
        ratios = [times[way][1] / times[one_batch_late][1] for times in runs]
        row[f"over_{way.__name__}_speedup"] = {"samples": ratios}
        print(f"{case}: late over {way.__name__}", *(f"{x:.2f}" for x in ratios))
    table.append(row)
    for way in WAYS if case == "busy" else ():
        wrong[way] = sum(times[way][0] for times in runs)
measured = {"results": STEPS * ROUNDS, "by_case": {"table": table}}
measured |= {f"wrong_{way.__name__}": number for way, number in wrong.items()}
