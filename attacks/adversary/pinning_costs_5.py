"""
pinning_costs_5: docs/transfer/pinning_costs.md:154 (measured for 25 tensors of a million floats)

Sentence: Where PyTorch has as many threads of its own, Python threads add nothing
Attack: tensors that PyTorch does not split among its threads (8000 and 30000 floats: below its grain of 32768), and many more than 25 of them; and tensors of 16 MiB
Expectation: below the grain PyTorch's own threads do nothing, so four Python threads may gain; the lock of Python may eat that
Refuted if: at any size four Python threads are more than 1.2 times as fast as the main thread with torch.set_num_threads(4), in the median of the rounds
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'Where PyTorch has as many threads of its own, Python threads add nothing'


def out(**row):
    print(json.dumps(row, default=str), flush=True)


def finish(refuted, numbers):
    verdict = "refuted" if refuted else "not refuted"
    row = {"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}
    print(json.dumps(row, default=str), flush=True)


def cycles_of(seconds):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(2):
        begin.record()
        torch.cuda._sleep(10_000_000)
        end.record()
        end.synchronize()
    return int(seconds * 10_000_000 / (begin.elapsed_time(end) / 1e3))


def empty_host_cache():
    public = getattr(torch.accelerator, "empty_host_cache", None)
    (public or torch._C._host_emptyCache)()

from concurrent.futures import ThreadPoolExecutor
from statistics import median


def main():
    torch.cuda.init()
    torch.set_num_threads(4)
    numbers = []
    with ThreadPoolExecutor(4, initializer=lambda: torch.set_num_threads(4)) as pool:
        for floats, count, rounds in ((8000, 400, 7), (30000, 200, 7), (250_000, 60, 7), (4_000_000, 12, 5)):
            tensors = [torch.ones(floats) for _ in range(count)]

            def send(t):
                return t.pin_memory().to("cuda", non_blocking=True)

            def seconds(way):
                torch.cuda.synchronize()
                begin = time.perf_counter()
                kept = way()
                torch.cuda.synchronize()
                return time.perf_counter() - begin

            ways = (lambda: [send(t) for t in tensors], lambda: list(pool.map(send, tensors)),
                    lambda: list(pool.map(lambda part: [send(t) for t in part], [tensors[i::4] for i in range(4)])))
            for way in ways * 2:
                seconds(way)
            taken = [[seconds(way) for way in ways] for _ in range(rounds)]
            row = {"floats": floats, "count": count,
                   "gain_map": median(a / b for a, b, c in taken), "gain_parts": median(a / c for a, b, c in taken)}
            out(**row)
            numbers.append(row)
    return any(max(r["gain_map"], r["gain_parts"]) > 1.2 for r in numbers), numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
