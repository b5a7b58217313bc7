"""Why does a first pinning take 54 instead of 32 ms beside a Python loop? Expects: the pinning thread waits for Python's lock, several times the switch interval (5 ms);
with a shorter interval the extra vanishes. Also: launches in other *processes* and copies are/aren't held up. Refuted if the extra does not follow the interval."""
import json, sys, time, traceback
from concurrent.futures import ThreadPoolExecutor
from statistics import median
try:
    import torch
    empty = getattr(torch.accelerator, "empty_host_cache", None) or torch._C._host_emptyCache
    now = time.perf_counter; number = torch.zeros(1, device="cuda"); ex = ThreadPoolExecutor(1); ex.submit(time.sleep, 0).result()
    source = torch.ones(2**26, dtype=torch.uint8)
    def run(size, step, kind):
        x = source[:size]
        def work():
            b = now(); y = x.pin_memory(); return now() - b
        if kind == "first": empty()
        else: x.pin_memory()
        torch.cuda.synchronize(); b = now(); f = ex.submit(work); n = 0; longest = 0; last = b
        while not f.done():
            step(); m = now(); longest = max(longest, m - last); last = m; n += 1
        e = now() - b; torch.cuda.synchronize()
        return e, f.result(), n / e, longest / e
    steps = {"sleep": lambda: time.sleep(.0005), "python": lambda: None, "launch": lambda: number.add_(1), "sync": torch.cuda.synchronize, "query": torch.cuda.current_stream().query, "alloc": lambda: torch.empty(2**20, device="cuda")}
    for s in steps.values(): run(2**20, s, "first")
    for interval in (.005, .001, .0001):
        sys.setswitchinterval(interval)
        for kind in ("first", "cached"):
            for size in (2**20, 2**26) if interval == .005 else (2**26,):
                for name, s in steps.items():
                    if interval != .005 and name not in ("sleep", "python", "launch"): continue
                    r = [run(size, s, kind) for _ in range(3)]
                    print(json.dumps({"interval": interval, "kind": kind, "size": size, "step": name, "whole_ms": round(median(a for a, *_ in r) * 1e3, 2), "pin_ms": round(median(b for _, b, *_ in r) * 1e3, 2), "rate": round(median(c for *_, c, _ in r)), "longest": round(median(d for *_, d in r), 2)}), flush=True)
except BaseException: traceback.print_exc()
