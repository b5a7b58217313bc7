"""
device_to_host_3: docs/transfer/device_to_host.md:191 (no claim)

Sentence: The process then keeps all the memory that it ever had (after mallopt(M_MMAP_MAX, 0), mallopt(M_TRIM_THRESHOLD, -1)).
Attack: resident memory (VmRSS) after dropping: (a) a 64 MiB tensor that was made before the two calls, (b) one made after them in the main thread, (c) ten of 16 MiB made after them in another thread that ends (another arena of glibc)
Expectation: (a) goes back at once (it was mapped), (b) is kept, (c) partly or wholly goes back
Refuted if: in (a) or (c) more than half of the memory is given back
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'The process then keeps all the memory that it ever had (after mallopt(M_MMAP_MAX, 0), mallopt(M_TRIM_THRESHOLD, -1)).'


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

import ctypes
import gc
import threading


def rss():
    return int(next(l for l in open("/proc/self/status") if l.startswith("VmRSS")).split()[1]) / 1024


def main():
    torch.ones(2**20)
    numbers = {}
    before_calls = torch.ones(64 * 2**20, dtype=torch.uint8)
    libc = ctypes.CDLL(None)
    told = [libc.mallopt(-4, 0), libc.mallopt(-1, -1)]
    have = rss()
    del before_calls
    gc.collect()
    numbers["a, made before"] = {"given_back_mib": have - rss(), "of": 64}
    x = torch.ones(64 * 2**20, dtype=torch.uint8)
    have = rss()
    del x
    numbers["b, made after"] = {"given_back_mib": have - rss(), "of": 64}
    peak = []

    def work():
        kept = [torch.ones(16 * 2**20, dtype=torch.uint8) for _ in range(10)]
        peak.append(rss())
        del kept

    start = rss()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    numbers["c, in a thread"] = {"given_back_mib": peak[0] - rss(), "of": peak[0] - start}
    refuted = any(numbers[k]["given_back_mib"] > numbers[k]["of"] / 2 > 8 for k in ("a, made before", "c, in a thread"))
    return refuted, {"told": told, **numbers}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
