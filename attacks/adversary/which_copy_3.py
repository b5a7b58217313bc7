"""which_copy.md, line 38.
Sentence: copy it directly: small copies gain least from pinning
Attack: Gain of pinning (blocking and non_blocking) at 64 B to 64 MiB, not two sizes: is the gain at a few KiB the smallest of all?
Expect: Not refuted with these sizes.
Refuted if: some size of 64 KiB or more gains less than 4 KiB does (median of 15; factor 0.95)
"""
import json, time
import torch

SENTENCE = 'copy it directly: small copies gain least from pinning'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from statistics import median


def main():
    rows, speedups = [], {}
    largest = 2**26
    pageable = torch.ones(largest, dtype=torch.uint8)
    pinned = pageable.pin_memory()
    gpu = torch.empty(largest, dtype=torch.uint8, device="cuda")
    for free in (False, True):
        for size in (256, 1024, 4096, 8192, 2**14, 2**16, 2**18, 2**20, 2**22, 2**24, 2**26):
            def seconds(source):
                torch.cuda.synchronize()
                begin = time.perf_counter()
                gpu[:size].copy_(source[:size], non_blocking=free)
                torch.cuda.synchronize()
                return time.perf_counter() - begin

            for _ in range(5):
                seconds(pageable), seconds(pinned)
            ratio = median(seconds(pageable) / seconds(pinned) for _ in range(15))
            speedups[free, size] = ratio
            rows.append((free, size, round(ratio, 3)))
    hit = any(speedups[f, s] < 0.95 * speedups[f, 4096] for f in (False, True) for s in (2**16, 2**18, 2**20, 2**22, 2**24, 2**26))
    return hit, {"free_size_speedup": rows}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
