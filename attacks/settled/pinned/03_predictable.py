"""How much less predictable are pageable copies? Expects that the times of pageable copies of 16 MiB spread wider (p95/p5, IQR/median) than pinned ones in
one process; with a busy host (threads that copy memory) much more so. Refutes 'access is more predictable' if the relative spread is alike."""
import json, time, threading, traceback
from statistics import median, quantiles
try:
    import torch
    sync, now = torch.cuda.synchronize, time.perf_counter
    page = torch.ones(2**28, dtype=torch.uint8); pin = page.pin_memory(); gpu = torch.empty_like(page, device="cuda")
    def sec(s, size, off=0):
        sync(); b = now(); gpu[:size].copy_(s[off:off + size], non_blocking=True); sync(); return now() - b
    end = now() + .4
    while now() < end: sec(page, 2**26); sec(pin, 2**26)
    def stats(v):
        q = quantiles(v, n=20); h = quantiles(v, n=4)
        return {"med_us": round(median(v) * 1e6, 1), "p5": round(q[0] * 1e6, 1), "p95": round(q[-1] * 1e6, 1), "max": round(max(v) * 1e6, 1), "iqr_share": round((h[2] - h[0]) / median(v), 4), "p95_p5": round(q[-1] / q[0], 3)}
    def run(tag, size, n, moving):
        a, b = [], []
        for i in range(n):
            off = (i * size) % (2**28) if moving else 0
            for s, l in ((page, a), (pin, b)) if i % 2 else ((pin, b), (page, a)): l.append(sec(s, size, off))
        print(json.dumps({"case": tag, "size": size, "moving": moving, "pageable": stats(a), "pinned": stats(b)}), flush=True)
    for size, n in ((2**16, 200), (2**20, 200), (2**24, 100), (2**26, 40)):
        for moving in (False, True): run("quiet", size, n, moving)
    stop = threading.Event()
    def load():
        x = torch.ones(2**25, dtype=torch.uint8); y = torch.empty_like(x)
        torch.set_num_threads(1)
        while not stop.is_set(): y.copy_(x)
    for k in (4, 12):
        ts = [threading.Thread(target=load) for _ in range(k)]
        [x.start() for x in ts]; time.sleep(.1)
        for size, n in ((2**20, 100), (2**24, 60)): run(f"beside {k} copying threads", size, n, True)
        stop.set(); [x.join() for x in ts]; stop.clear()
except BaseException: traceback.print_exc()
