"""which_copy.md, line 46.
Sentence: a loop of small copies that has to stay: `non_blocking=True`; pageable tensors will do
Attack: Sizes 64 B to 64 KiB, 200 tensors each, by to(): blocking, non_blocking from pageable, non_blocking from pinned; and behind work on the GPU (64 KiB: the staging room holds some sixty).
Expect: Refuted at 64 KiB: pinned is 1.3 times as fast or more; behind work, pageable copies of 64 KiB hold the host after some sixty.
Refuted if: at some size up to 64 KiB the pageable loop with the argument takes at least 1.25 times as long as the pinned one, or is slower than the blocking one (median of 7)
"""
import json, time
import torch

SENTENCE = 'a loop of small copies that has to stay: `non_blocking=True`; pageable tensors will do'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from statistics import median


def main():
    rows, hit = [], False
    for size in (64, 1024, 4096, 16384, 65536):
        pageable = [torch.ones(size // 4) for _ in range(200)]
        pinned = [t.pin_memory() for t in pageable]
        arms = {"blocking": (pageable, False), "pageable": (pageable, True), "pinned": (pinned, True)}

        def seconds(tensors, free):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            kept = [t.to("cuda", non_blocking=free) for t in tensors]
            torch.cuda.synchronize()
            return time.perf_counter() - begin

        for _ in range(3):
            [seconds(*a) for a in arms.values()]
        rounds = [{n: seconds(*a) for n, a in arms.items()} for _ in range(7)]
        row = {"bytes": size, **{n: round(median(r[n] for r in rounds) * 1e6 / 200, 2) for n in arms}}
        row["pageable_over_pinned"] = round(median(r["pageable"] / r["pinned"] for r in rounds), 3)
        row["pageable_over_blocking"] = round(median(r["pageable"] / r["blocking"] for r in rounds), 3)
        show(**row)
        rows.append(row)
        hit |= row["pageable_over_pinned"] >= 1.25 or row["pageable_over_blocking"] >= 1.02
    return hit, rows


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
