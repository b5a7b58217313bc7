"""
pinning_costs_6: docs/transfer/pinning_costs.md:474, 460 (measured at 129 and 65 MiB)

Sentence: A kept block serves only requests that round to its own size / sizes are rounded up to a power of two
Attack: sizes of 1, 3, 100, 4095, 4097 bytes, 3 MiB, 129 MiB: what is held; and whether the block kept from twice the size is handed out for half of it
Expectation: every size rounds to the next power of two; nothing smaller is served
Refuted if: a held size is no power of two next above, or a smaller request gets the kept block
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'A kept block serves only requests that round to its own size / sizes are rounded up to a power of two'


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

def held():
    return torch.cuda.host_memory_stats()["allocated_bytes.current"]


def main():
    torch.cuda.init()
    torch.ones(1, device="cuda").cpu()
    numbers, bad = [], []
    for size in (1, 3, 100, 4095, 4097, 3 * 2**20, 129 * 2**20):
        empty_host_cache()
        before = held()
        x = torch.empty(size, dtype=torch.uint8, pin_memory=True)
        took = held() - before
        address = x.data_ptr()
        del x
        smaller = max(1, (1 << (size - 1).bit_length()) // 2) if size > 1 else 1
        y = torch.empty(smaller, dtype=torch.uint8, pin_memory=True)
        row = {"asked": size, "held": took, "power": 1 << (size - 1).bit_length(), "smaller": smaller, "served": y.data_ptr() == address}
        del y
        out(**row)
        numbers.append(row)
        if took != row["power"] or (row["served"] and smaller != row["power"]):
            bad.append(row)
    return bool(bad), {"refuting": bad}


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
