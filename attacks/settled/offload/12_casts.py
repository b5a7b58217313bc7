"""Casts in the copy: other types and sizes, pinned and pageable, with and without non_blocking; ms and speedup.

Expect: from pinned memory non_blocking (GPU casts) is faster everywhere, most for uint8 -> float32 (four times fewer
bytes); from pageable memory slower only where more bytes travel. Refutes: pinned slower with it anywhere.
"""
import json, time
from statistics import median
import torch


def seconds(source, target, free):
    torch.cuda.synchronize()
    t = time.perf_counter()
    target.copy_(source, non_blocking=free)
    torch.cuda.synchronize()
    return time.perf_counter() - t


TYPES = ((torch.uint8, torch.float32), (torch.float32, torch.bfloat16), (torch.int64, torch.int32), (torch.float64, torch.float32), (torch.float16, torch.float32))
until = time.perf_counter() + 0.2
a, b = torch.ones(2**20, pin_memory=True), torch.ones(2**20, device="cuda")
while time.perf_counter() < until:
    seconds(a, b, True)
for count in (2**12, 2**16, 2**20, 2**24):
    for have, want in TYPES:
        for pin in (True, False):
            try:
                source = torch.ones(count, dtype=have)
                source = source.pin_memory() if pin else source
                target = torch.ones(count, dtype=want, device="cuda")
                for _ in range(2):
                    seconds(source, target, True), seconds(source, target, False)
                pairs = [(seconds(source, target, False), seconds(source, target, True)) for _ in range(5)]
                print(json.dumps({"case": "cast_h2d", "count": count, "types": f"{have}->{want}", "pinned": pin, "default_ms": round(median(p[0] for p in pairs) * 1e3, 4), "free_ms": round(median(p[1] for p in pairs) * 1e3, 4), "speedup": round(median(p[0] / p[1] for p in pairs), 2)}), flush=True)
            except Exception as e:
                print(json.dumps({"case": "cast_h2d", "error": repr(e)[:200]}), flush=True)
