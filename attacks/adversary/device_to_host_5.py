"""
device_to_host_5: docs/transfer/device_to_host.md:151 (measured at 16 and 31 MiB, main thread, results alone)

Sentence: The C library hands the memory of a small result that was dropped to the next one.
Attack: x.cpu() of 64 KiB, 1, 8 and 31 MiB in the main thread, in another thread (another arena), and with a small tensor made after each result that stays (it may sit on top); new page faults (ru_minflt) per result from the fourth on, and bandwidth
Expectation: few page faults in the main thread; perhaps all of them in another thread or where something stays behind the result
Refuted if: from the fourth result on the median result has new pages for more than half of its size in any case of 1 to 31 MiB (every result of that size is dropped; only a 4 KB one stays, in the cases that say so)
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'The C library hands the memory of a small result that was dropped to the next one.'


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

import resource
import threading
from statistics import median


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    take = (lambda x: x.cpu()) if device == "cuda" else (lambda x: x.clone())
    source = torch.ones(31 * 2**20, dtype=torch.uint8, device=device)
    small = torch.ones(1000, device=device)
    take(source[:1000])
    numbers = {}

    def loop(name, size, stays):
        pages, rates, kept = [], [], []
        for _ in range(12):
            before, begin = faults(), time.perf_counter()
            result = take(source[:size])
            taken = time.perf_counter() - begin
            pages.append(faults() - before)
            rates.append(size / taken / 1e9)
            if stays:
                kept.append(take(small))
            del result
        numbers[name] = {"pages": pages, "share_new": median(pages[3:]) * 4096 / size, "gb_per_s": median(rates[3:])}

    for size in (2**16, 2**20, 8 * 2**20, 31 * 2**20):
        for stays in (False, True):
            name = f"{size}{', something stays' if stays else ''}"
            loop(name, size, stays)
            thread = threading.Thread(target=loop, args=(name + ", in a thread", size, stays))
            thread.start()
            thread.join()
    bad = [k for k, v in numbers.items() if v["share_new"] > 0.5 and not k.startswith("65536")]
    slow = {k: v["gb_per_s"] for k, v in numbers.items()}
    return bool(bad), {"new_pages": bad, "gb_per_s": slow, "share": {k: v["share_new"] for k, v in numbers.items()}}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
