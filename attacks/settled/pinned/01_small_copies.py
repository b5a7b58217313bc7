"""Small copies: expects pinned/pageable time about 1 up to 16-32 KiB on this host, a jump near 64 KiB (the driver sends up to some
size inside its command buffer), and that the pageable call of a small copy returns early too. Refutes the page if 4 KiB gain clearly (>1.2),
or if gain at 4 KiB exceeds 0.7 of that at 64 KiB. Also: the share of the call in the time, and the GPU's own time (queued behind a sleep)."""
import json, time, traceback
from statistics import median, quantiles
try:
    import torch
    n = 2**21
    page, gpu = torch.ones(n, dtype=torch.uint8), torch.empty(n, dtype=torch.uint8, device="cuda")
    pin = page.pin_memory()
    def once(src, size, nb):
        a, b = gpu[:size], src[:size]
        torch.cuda.synchronize(); t = time.perf_counter(); a.copy_(b, non_blocking=nb); c = time.perf_counter(); torch.cuda.synchronize(); e = time.perf_counter()
        return c - t, e - t
    end = time.perf_counter() + .4
    while time.perf_counter() < end:
        once(page, n, False); once(pin, n, True)
    for size in (64, 512, 1024, 4096, 8192, 16384, 24576, 32768, 49152, 65535, 65536, 65537, 81920, 98304, 131072, 262144, 2**20, 2**21):
        rows = {k: [] for k in ("page", "pin", "page_nb", "pin_nb")}
        for i in range(60):
            arms = [("page", page, False), ("pin", pin, False), ("page_nb", page, True), ("pin_nb", pin, True)]
            if i % 2: arms.reverse()
            for k, s, nb in arms: rows[k].append(once(s, size, nb))
        out = {"size": size}
        for k, v in rows.items():
            q = quantiles([b for _, b in v], n=20)
            out[k] = {"call_us": round(median(a for a, _ in v) * 1e6, 2), "all_us": round(median(b for _, b in v) * 1e6, 2), "p5": round(q[0] * 1e6, 2), "p95": round(q[-1] * 1e6, 2)}
        out["gain_blocking"] = round(out["page"]["all_us"] / out["pin"]["all_us"], 3)
        out["gain_nb"] = round(out["page_nb"]["all_us"] / out["pin_nb"]["all_us"], 3)
        print(json.dumps(out), flush=True)
    # the GPU's own time for each copy, all queued behind a sleep
    a, b = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for size in (1024, 4096, 16384, 32768, 65536, 262144):
        res = {}
        for name, src in (("pin", pin), ("page", page)):
            count = 30
            vals = []
            for _ in range(5):
                torch.cuda.synchronize(); torch.cuda._sleep(8_000_000); a.record()
                t = time.perf_counter()
                for _ in range(count): gpu[:size].copy_(src[:size], non_blocking=True)
                host = time.perf_counter() - t
                b.record(); b.synchronize(); vals.append(a.elapsed_time(b) * 1e3 / count)
            res[name + "_gpu_us"] = round(median(vals), 2); res[name + "_host_us"] = round(host * 1e6 / count, 2)
        print(json.dumps({"held": size, **res}), flush=True)
except BaseException: traceback.print_exc()
