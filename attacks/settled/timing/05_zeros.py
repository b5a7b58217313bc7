"""Zeros against noise in a product: rate, clock, power, reasons, in turns.

Expect: BF16 8192: zeros 1.05 to 1.25 times as fast as noise; noise at the power limit with a lower clock (sw_power_cap
active); ones and small integers in between; FP32 without TF32: little. Refutes the page's plan: ratio below 1.03.
"""
import json, subprocess, time
from statistics import median
import torch
def out(**k): print(json.dumps(k), flush=True)
Q = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw.instant,power.draw,power.limit,clocks_event_reasons.active,clocks_event_reasons.sw_power_cap", "--format=csv,noheader", "--id=0"]
def run(a, b, c, seconds, per):
    times, q, p, until = [], [], None, time.perf_counter() + seconds
    while time.perf_counter() < until or p.poll() is None:
        s, e = (torch.cuda.Event(enable_timing=True) for _ in range(2)); s.record()
        for _ in range(per): torch.mm(a, b, out=c)
        e.record(); q.append((s, e))
        if len(q) > 3: x, y = q.pop(0); y.synchronize(); times.append(x.elapsed_time(y) / per)
        if p is None and time.perf_counter() > until - seconds / 2: p = subprocess.Popen(Q, stdout=subprocess.PIPE, text=True)
    torch.cuda.synchronize(); return times, p.communicate()[0].strip()
for dtype, n, per in ((torch.bfloat16, 8192, 10), (torch.float32, 8192, 1)):
    try:
        kinds = {"zeros": lambda: torch.zeros(n, n, device="cuda", dtype=dtype), "ones": lambda: torch.ones(n, n, device="cuda", dtype=dtype), "noise": lambda: torch.randn(n, n, device="cuda").to(dtype), "uniform": lambda: torch.rand(n, n, device="cuda").to(dtype)}
        made = {k: (f(), f()) for k, f in kinds.items()}; c = torch.empty(n, n, device="cuda", dtype=dtype)
        for rnd in range(2):
            for k, (a, b) in made.items():
                if rnd and k in ("ones", "uniform"): continue
                ts, v = run(a, b, c, 0.35, per); late = ts[len(ts) // 2:]
                out(dtype=str(dtype), n=n, data=k, round=rnd, ms=round(median(late), 4), first_ms=round(ts[0], 4), tflops=round(2 * n**3 / median(late) / 1e9, 1), smi=v)
        del made
    except Exception as e: out(error=repr(e))
try:  # short bursts: is it the data (switching) or the power limit? after a rest, 3 products only
    n = 8192; z = torch.zeros(n, n, device="cuda", dtype=torch.bfloat16); r = torch.randn(n, n, device="cuda").bfloat16(); c = torch.empty_like(z)
    for _ in range(4):
        for k, x in (("zeros", z), ("noise", r)):
            torch.cuda.synchronize(); time.sleep(0.15); torch.cuda._sleep(1_000_000); s, e = (torch.cuda.Event(enable_timing=True) for _ in range(2)); s.record()
            for _ in range(3): torch.mm(x, x, out=c)
            e.record(); torch.cuda.synchronize(); out(burst=k, ms=round(s.elapsed_time(e) / 3, 4))
except Exception as e: out(error=repr(e))
