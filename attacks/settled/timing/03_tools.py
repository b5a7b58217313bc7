"""Timer, do_bench, events behind a delay (one, a train), an empty pair; L2 warm, flushed by writing, by reading.

Expect: Timer = host time of a call for short kernels, GPU time for long ones. do_bench = events around each call with
L2 flushed before: near the single pair behind a delay, larger for what fits L2 (1.1 to 2 times). An empty pair shows
1 to 3 us; a train of 100 gives less per kernel than a single pair for short ones (page says the pair behind a delay is
"the time that the GPU needs": refuted if the train gives less than 0.7 of it).
"""
import json, time
from statistics import median
import torch
def out(**k): print(json.dumps(k), flush=True)
def ev(): return torch.cuda.Event(enable_timing=True)
HOLD = 20_000_000
g = lambda *s: torch.randn(*s, device="cuda")
def adds(mib):
    n = mib * 2**20 // 4; x, y = g(n), g(n); return lambda: torch.add(x, 1, out=y)
def mms(n, dtype=torch.float32):
    x, y = g(n, n).to(dtype), g(n, n).to(dtype); z = torch.empty_like(x); return lambda: torch.mm(x, y, out=z)
WORK = {"mm128": mms(128), "mm1024": mms(1024), "mm4096": mms(4096), "mm1024bf16": mms(1024, torch.bfloat16), "mm2048bf16": mms(2048, torch.bfloat16),
        "add1": adds(1), "add4": adds(4), "add8": adds(8), "add16": adds(16), "add32": adds(32), "add64": adds(64), "add256": adds(256)}
trash = torch.zeros(256 * 2**20 // 4, dtype=torch.int32, device="cuda")
until = time.perf_counter() + 0.4
while time.perf_counter() < until:
    for f in WORK.values(): f()
    trash.zero_(); trash.sum(); torch.cuda._sleep(1000); torch.cuda.synchronize()
def pair(f, k=1, before=lambda: None):
    torch.cuda.synchronize(); torch.cuda._sleep(HOLD); before(); s, e = ev(), ev(); s.record()
    for _ in range(k): f()
    e.record(); late = s.query(); torch.cuda.synchronize(); return s.elapsed_time(e) * 1e3 / k, late
def idle(f):
    torch.cuda.synchronize(); s, e = ev(), ev(); s.record(); f(); e.record(); torch.cuda.synchronize(); return s.elapsed_time(e) * 1e3
def med(g): r = [g() for _ in range(7)]; return round(median(x[0] for x in r), 2), sum(x[1] for x in r)
try:
    out(case="empty pair us", v=med(lambda: pair(lambda: None)))
except Exception as e: out(error=repr(e))
rows = {}
for name, f in WORK.items():
    try:
        k = 5 if name == "mm4096" else 100
        rows[name] = dict(pair=med(lambda: pair(f)), train=med(lambda: pair(f, k)), idle=round(median(idle(f) for _ in range(9)), 2),
             written=med(lambda: pair(f, 1, lambda: (f(), trash.zero_()))), read=med(lambda: pair(f, 1, lambda: (f(), trash.sum()))),
             warm_after_other=med(lambda: pair(f, 1, lambda: (trash.zero_(), f()))))
        out(name=name, **rows[name])
    except Exception as e: out(name=name, error=repr(e))
try:
    t0 = time.perf_counter()
    from torch.utils.benchmark import Timer
    out(import_benchmark_s=round(time.perf_counter() - t0, 2))
    for name in ("mm128", "mm1024", "mm4096", "add8", "add64"):
        f = WORK[name]; t = Timer("f()", globals={"f": f})
        m = t.blocked_autorange(min_run_time=0.1); one = t.timeit(1)
        torch.cuda.synchronize(); t1 = time.perf_counter(); [f() for _ in range(200)]; h = (time.perf_counter() - t1) / 200; torch.cuda.synchronize()
        out(name=name, timer_us=round(m.median * 1e6, 2), block=m.number_per_run, blocks=len(m.times), iqr=round(m.iqr * 1e6, 2), timeit1_us=round(one.median * 1e6, 1), host_call_us=round(h * 1e6, 2))
except Exception as e: out(error=repr(e))
try:
    t0 = time.perf_counter()
    from triton.testing import do_bench
    import triton; out(import_triton_s=round(time.perf_counter() - t0, 2), triton=triton.__version__)
    for name in ("mm128", "mm1024", "mm4096", "add1", "add8", "add16", "add64"):
        t1 = time.perf_counter()
        out(name=name, do_bench_us=round(do_bench(WORK[name], warmup=10, rep=40) * 1e3, 2), median_us=round(do_bench(WORK[name], warmup=10, rep=40, return_mode="median") * 1e3, 2), took_s=round(time.perf_counter() - t1, 2))
    import inspect; src = inspect.getsource(do_bench); out(src=src[src.find('"""', 200):][:2500])
    out(cache=str(triton.runtime.driver.active.get_empty_cache_for_benchmark().nbytes))
except Exception as e: out(error=repr(e))
