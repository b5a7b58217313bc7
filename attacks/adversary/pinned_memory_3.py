"""
Sentence (transfer/pinned_memory.md:317): `x.cpu()` returns new, pageable memory, and pays for its pages.

Attack: The record behind it has 64 MiB. Here 4 KiB to 64 MiB, steady state (the result is dropped each time, as in a loop): minor page faults for each call (resource.getrusage), over the pages of the result; and the first call.

Expected: small and middle results take memory that the C library has kept: no new pages, so nothing is paid after the first calls; from 64 MiB on each call takes new pages.

Refuted if: at some size from 64 KiB to 16 MiB the median steady call has page faults for less than 10 % of the result's pages, and takes at most 1.15 times as long as a copy into memory that was written before.
"""
import json
import time

import torch

SENTENCE = '`x.cpu()` returns new, pageable memory, and pays for its pages.'


def say(**row):
    print(json.dumps(row, default=str), flush=True)


import resource
from statistics import median


def attack():
    found, ratios = {}, {}
    for size in (4096, 65536, 2**18, 2**20, 2**22, 2**24, 2**25, 2**26):
        x = torch.ones(size, dtype=torch.uint8, device="cuda")
        torch.cuda.synchronize()
        faults, addresses, times = [], set(), []
        seen = 0
        for i in range(25):
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            begin = time.perf_counter()
            y = x.cpu()
            times.append(time.perf_counter() - begin)
            faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
            seen += y.data_ptr() in addresses
            addresses.add(y.data_ptr())
            pinned = y.is_pinned()
            del y
        touched, into = torch.ones(size, dtype=torch.uint8), []
        for _ in range(25):
            begin = time.perf_counter()
            touched.copy_(x)
            into.append(time.perf_counter() - begin)
        ratios[size] = round(median(times[10:]) / median(into[10:]), 2)
        share = median(faults[10:]) / max(1, size // 4096)
        found[size] = round(share, 3)
        say(size=size, pinned=pinned, first_faults=faults[0], steady_faults=median(faults[10:]), share_of_pages=found[size], same_address=seen,
            first_us=round(times[0] * 1e6), steady_us=round(median(times[10:]) * 1e6, 1), over_touched=ratios[size])
    free = [size for size, s in found.items() if 65536 <= size <= 2**24 and s < 0.1 and ratios[size] <= 1.15]
    return bool(free), {"sizes_that_pay_nothing": free, "faults_over_pages": found, "time_over_touched": ratios}


if __name__ == "__main__":
    try:
        refuted, numbers = attack()
        verdict = "refuted" if refuted else "not refuted"
    except Exception as error:  # the attack failed: it decides nothing
        verdict, numbers = "not refuted", {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
    print(json.dumps({"verdict": verdict, "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
