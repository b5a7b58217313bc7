"""Packing over sizes, threads, counts: where is the crossover with the loop over pinned tensors, and does packing from pageable memory always pay? Expects: pinned crossover between 16 and 128 KiB
on every host and at every number of threads; pageable speedup > 1 everywhere with 4 threads, but maybe < 1 with one thread at 64 KiB; with a write to the target's views instead of a new tensor the same.
Refutes the claims if with 1 thread packing from pageable memory is slower than the loop. Each arm also with tensors of separate allocations (not views of one block), and shapes."""
import json, time, traceback
from statistics import median
try:
    import torch
    sync, now = torch.cuda.synchronize, time.perf_counter
    for sep in (False, True):
        for count in (200,) if sep else (200, 1000):
            for size in (1024, 4096, 16384, 32768, 65536, 131072, 262144) if count == 200 else (1024, 16384, 65536):
                src = torch.ones(count * size, dtype=torch.uint8); packed, spare = src.pin_memory(), src.pin_memory(); pin = packed.split(size) if not sep else [torch.ones(size, dtype=torch.uint8).pin_memory() for _ in range(count)]
                page = src.split(size) if not sep else [torch.ones(size, dtype=torch.uint8) for _ in range(count)]
                def free(): return [t.to("cuda", non_blocking=True) for t in page]
                def frompin(): return [t.to("cuda", non_blocking=True) for t in pin]
                def pack(): torch.cat(page, out=packed); return packed.to("cuda", non_blocking=True).split(size)
                def packpin(): torch.cat(pin, out=spare); return spare.to("cuda", non_blocking=True).split(size)
                def new(): return torch.cat(page).to("cuda").split(size)
                def one(f): sync(); b = now(); k = f(); sync(); return now() - b
                out = {}
                for threads in (1, 4, 16):
                    torch.set_num_threads(threads); rows = []
                    for _ in range(4): rows.append([one(f) for f in (free, frompin, pack, packpin, new)])
                    rows = rows[1:]
                    out[threads] = {"free/pack": round(median(r[0] / r[2] for r in rows), 2), "pinned/pack": round(median(r[1] / r[2] for r in rows), 2), "pinned/packpin": round(median(r[1] / r[3] for r in rows), 2), "new/free": round(median(r[4] / r[0] for r in rows), 2)}
                print(json.dumps({"separate": sep, "count": count, "size": size, **out}), flush=True)
except BaseException: traceback.print_exc()
