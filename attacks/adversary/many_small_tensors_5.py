"""
many_small_tensors_5: docs/transfer/many_small_tensors.md:141, 150 (measured with copy_ over rows of 4 KiB)

Sentence: Nor does such a loop fill the queue.
Attack: an idle GPU, pinned sources, the sizes of the page's own figure (4, 16, 64, 256 KiB), copy_ in a Python loop and _foreach_copy_ (a faster loop); 3000 calls: how many are still under way when it returns (an event every 50), and did a call wait?
Expectation: keeps up at 4 KiB in the Python loop; falls behind with _foreach_copy_ or at 256 KiB, where 3000 calls fill the queue of about 1000
Refuted if: for a size of at most 64 KiB, at least 900 copies are still under way when the loop returns or in the middle of it, in the median of 5 tries (256 KiB is reported only)
"""
import json
import os
import time

T0 = time.perf_counter()
import torch

SENTENCE = 'Nor does such a loop fill the queue.'


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

from statistics import median


def main():
    numbers = []
    for size in (4096, 16384, 65536, 262144):
        count = 2000
        block = torch.ones(count, size, dtype=torch.uint8, pin_memory=True)
        gpu = torch.empty_like(block, device="cuda")
        sources, targets = list(block), list(gpu)
        for way in ("copy_", "foreach"):
            behind = []
            for attempt in range(6):
                torch.cuda.synchronize()
                marks, most = [], 0
                passed = 0
                for start in range(0, count, 50):
                    if way == "copy_":
                        for t, s in zip(targets[start:start + 50], sources[start:start + 50]):
                            t.copy_(s, non_blocking=True)
                    else:
                        torch._foreach_copy_(targets[start:start + 50], sources[start:start + 50], non_blocking=True)
                    event = torch.cuda.Event()
                    event.record()
                    marks.append(event)
                    while passed < len(marks) and marks[passed].query():
                        passed += 1
                    most = max(most, 50 * (len(marks) - passed))
                torch.cuda.synchronize()
                if attempt:
                    behind.append(most)
            row = {"size": size, "way": way, "most_under_way": median(behind), "all": behind}
            out(**row)
            numbers.append(row)
        del block, gpu, sources, targets
    return any(r["most_under_way"] >= 900 for r in numbers if r["size"] <= 65536), numbers


try:
    finish(*main())
except Exception as error:
    import traceback
    out(error=traceback.format_exc()[-1500:])
    finish(False, {"error": repr(error)})
