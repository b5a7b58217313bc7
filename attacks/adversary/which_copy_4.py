"""which_copy.md, line 90.
Sentence: a tensor on the GPU that I fetch many times: copy into a pinned tensor that you keep, not with `x.cpu()`
Attack: Sizes 4 B to 64 MiB: kept.copy_(x) against x.cpu(). The number comes from large tensors.
Expect: Refuted for small tensors: no gain at a few bytes to KiB.
Refuted if: at some size the pinned tensor that is kept is not even 1.05 times as fast as x.cpu() (median of 15)
"""
import json, time
import torch

SENTENCE = 'a tensor on the GPU that I fetch many times: copy into a pinned tensor that you keep, not with `x.cpu()`'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from statistics import median


def main():
    rows, least = [], 9
    for size in (4, 256, 4096, 16384, 65536, 2**18, 2**20, 2**24, 2**26):
        x = torch.ones(size, dtype=torch.uint8, device="cuda")
        kept = torch.ones(size, dtype=torch.uint8).pin_memory()

        def seconds(call):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            call()
            return time.perf_counter() - begin

        a, b = (lambda: x.cpu()), (lambda: kept.copy_(x))
        for _ in range(5):
            seconds(a), seconds(b)
        ratio = median(seconds(a) / seconds(b) for _ in range(15))
        rows.append((size, round(ratio, 3)))
        least = min(least, ratio)
    return least < 1.05, {"size_speedup": rows}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
