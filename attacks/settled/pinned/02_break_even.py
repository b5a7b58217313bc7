"""How many copies until pinning has paid? Expects, for a kept buffer, first pinning = 5 to 35 copies' gain; and for a loop that pins every
batch anew, about 7 at 64 MiB and 22 at 1 MiB; with data that change for each copy (a host copy into the kept buffer first) more than that.
Refutes the Rule ('more than once') where the break-even is far above 2. Cumulative races are run for real, not computed."""
import json, time, traceback
from statistics import median
try:
    import torch
    empty = getattr(torch.accelerator, "empty_host_cache", None) or torch._C._host_emptyCache
    big = torch.ones(2**28, dtype=torch.uint8); gpu = torch.empty_like(big, device="cuda")
    sync, now = torch.cuda.synchronize, time.perf_counter
    def t(f, *a):
        sync(); b = now(); r = f(*a); sync(); return now() - b, r
    end = now() + .3
    while now() < end: gpu[:2**24].copy_(big[:2**24]); sync()
    threads0 = torch.get_num_threads()
    print(json.dumps({"threads": threads0}))
    for threads in (threads0, 1):
        torch.set_num_threads(threads)
        for size in (2**16, 2**18, 2**20, 2**22, 2**24, 2**26, 2**28) if threads > 1 else (2**20, 2**26):
            src, to = big[:size], gpu[:size]
            rows = []
            for _ in range(5 if size < 2**26 else 3):
                plain = t(to.copy_, src)[0]; empty()
                first, pinned = t(src.pin_memory)
                copy = t(lambda: to.copy_(pinned, non_blocking=True))[0]
                fill = t(lambda: (pinned.copy_(src), to.copy_(pinned, non_blocking=True)))[0]
                empty_alloc = None; del pinned; empty()
                alloc, buf = t(lambda: torch.empty(size, dtype=torch.uint8, pin_memory=True))
                del buf; cached = t(lambda: to.copy_(src.pin_memory(), non_blocking=True))[0]
                rows.append((plain, first, copy, fill, alloc, cached))
            plain, first, copy, fill, alloc, cached = (median(x) for x in zip(*rows))
            ev = [f / (p - c) for p, f, c, *_ in rows]
            # real race: after how many copies is the total time of pin-once-then-copy less than that of the plain copies?
            def race(each_plain, each_pinned, start):
                empty(); sync(); b = now(); state = start(); sync(); tot_p = now() - b; tot = 0
                stop = now() + .35
                for k in range(1, 400):
                    if now() > stop: return f">{k}"
                    tot += t(each_plain)[0]; tot_p += t(each_pinned, state)[0]
                    if tot_p < tot: return k
                return None
            kept = race(lambda: to.copy_(src), lambda p: to.copy_(p, non_blocking=True), src.pin_memory)
            refill = race(lambda: to.copy_(src), lambda p: (p.copy_(src), to.copy_(p, non_blocking=True)), lambda: torch.empty(size, dtype=torch.uint8, pin_memory=True))
            anew = race(lambda: to.copy_(src), lambda p: to.copy_(src.pin_memory(), non_blocking=True), lambda: None) if size < 2**28 else None
            print(json.dumps({"threads": threads, "size": size, "plain_us": round(plain * 1e6, 1), "first_pin_us": round(first * 1e6, 1), "alloc_us": round(alloc * 1e6, 1), "pinned_copy_us": round(copy * 1e6, 1),
                "fill_and_copy_us": round(fill * 1e6, 1), "cached_pin_copy_us": round(cached * 1e6, 1), "even_same_data": [round(x, 1) for x in ev],
                "race_same_data": kept, "race_refilled": refill, "race_pin_each": anew}), flush=True)
except BaseException: traceback.print_exc()
