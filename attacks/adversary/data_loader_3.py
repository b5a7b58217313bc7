"""
data_loader_3: docs/transfer/data_loader.md:386 (no claim)

Sentence: Prefetching hides the copy, and nothing else: a loop that has to wait for its loader waits as before.
Attack: a loader that takes 30 ms for each batch: time until the loop has its first batch, and time of the whole loop, for plain, blocking and prefetched; with steps that the host waits for (item) and steps that it does not, both of about 30 ms on the GPU
Expectation: the prefetching loop waits for two batches before its first step, so it starts one batch later than before; in steady state the same; with steps of item() the end comes one step later than necessary
Refuted if: the first batch comes after at least 1.6 times the time of the plain loop (criterion A), or the prefetched loop takes less than 0.85 of the plain loop's time with a copy of less than 1 ms (criterion B: it hides more than the copy)
"""
import json
import os
import time

T0 = time.perf_counter()
import warnings

warnings.simplefilter('ignore')
import torch

SENTENCE = 'Prefetching hides the copy, and nothing else: a loop that has to wait for its loader waits as before.'


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

from itertools import chain
from statistics import median


def prefetched(loader):
    main, side, ahead = torch.cuda.current_stream(), torch.cuda.Stream(), []
    for batch in chain(loader, [()]):
        main.wait_stream(side)
        side.wait_stream(main)
        with torch.cuda.stream(side):
            ready, ahead = ahead, [x.to("cuda", non_blocking=True) for x in batch]
        if ready:
            yield ready


def plain(loader, free=True):
    for batch in loader:
        yield [x.to("cuda", non_blocking=free) for x in batch]


def blocking(loader):
    return plain(loader, False)


def main():
    x = torch.ones(2**18, pin_memory=True)
    torch.cuda.synchronize()
    cycles = cycles_of(0.03)

    def loader():
        for _ in range(8):
            time.sleep(0.03)
            yield [x]

    numbers = {}
    for step in ("free", "item"):
        for way in (plain, blocking, prefetched) * 2:
            torch.cuda.synchronize()
            begin, first = time.perf_counter(), None
            for (y,) in way(loader()):
                first = first or time.perf_counter() - begin
                torch.cuda._sleep(cycles)
                total = y.sum()
                if step == "item":
                    total.item()
            torch.cuda.synchronize()
            numbers[f"{step},{way.__name__}"] = {"first_s": first, "total_s": time.perf_counter() - begin}
    late = [numbers[f"{s},prefetched"]["first_s"] / numbers[f"{s},plain"]["first_s"] for s in ("free", "item")]
    share = [numbers[f"{s},prefetched"]["total_s"] / numbers[f"{s},plain"]["total_s"] for s in ("free", "item")]
    return min(late) >= 1.6 or min(share) < 0.85, {"first_batch_ratio": late, "total_ratio": share, "all": numbers}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
