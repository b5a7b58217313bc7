"""non_blocking.md, line 600.
Sentence: Between pinned memory and the GPU, a cast of this size is faster on the GPU.
Attack: Other pairs of types at 16 MiB of the wide type: widening to the host (never measured: more bytes travel with the argument), and 8-byte types to 1-byte types, where the host's cast leaves only 2 MiB to travel and the GPU's 16 MiB.
Expect: Perhaps refuted for int64/float64 to 1-byte types; widening to the host probably not (the host goes through pageable memory).
Refuted if: for some pair the median time with non_blocking=True is at least 1.05 times that without it
"""
import json, time
import torch

SENTENCE = 'Between pinned memory and the GPU, a cast of this size is faster on the GPU.'


def show(**row):
    print(json.dumps(row, default=str), flush=True)

from statistics import median


def main():
    rows, worst = {}, 9
    pairs = [("h2d", torch.float32, torch.float16), ("h2d", torch.float64, torch.float16), ("h2d", torch.int64, torch.uint8), ("h2d", torch.int64, torch.bool), ("h2d", torch.float64, torch.uint8), ("h2d", torch.complex64, torch.complex128), ("h2d", torch.float32, torch.int8),
             ("d2h", torch.float16, torch.float32), ("d2h", torch.uint8, torch.float32), ("d2h", torch.uint8, torch.int64), ("d2h", torch.bool, torch.int64), ("d2h", torch.float32, torch.float64), ("d2h", torch.float32, torch.float16)]
    for way, source_type, target_type in pairs:
        wide = max(torch.empty(0, dtype=source_type).element_size(), torch.empty(0, dtype=target_type).element_size())
        count = 2**24 // wide
        if way == "h2d":
            source, target = torch.ones(count, dtype=source_type).pin_memory(), torch.ones(count, dtype=target_type, device="cuda")
        else:
            source, target = torch.ones(count, dtype=source_type, device="cuda"), torch.ones(count, dtype=target_type).pin_memory()

        def seconds(free):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            target.copy_(source, non_blocking=free)
            torch.cuda.synchronize()
            return time.perf_counter() - begin

        for _ in range(4):
            seconds(True), seconds(False)
        both = [(seconds(False), seconds(True)) for _ in range(9)]
        slow, fast = median(a for a, _ in both), median(b for _, b in both)
        rows[f"{way} {source_type} {target_type}".replace("torch.", "")] = [round(slow * 1e3, 3), round(fast * 1e3, 3), round(slow / fast, 2)]
        worst = min(worst, slow / fast)
    show(default_ms_free_ms_speedup=rows)
    return worst <= 1 / 1.05, {"smallest_speedup": round(worst, 3), "rows": rows}


try:
    refuted, numbers = main()
except Exception as error:
    import traceback
    traceback.print_exc()
    refuted, numbers = False, {"error": repr(error)[:300]}
print(json.dumps({"verdict": "refuted" if refuted else "not refuted", "sentence": SENTENCE, "numbers": numbers}, default=str), flush=True)
