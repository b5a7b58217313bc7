"""How much CPU time does the host spend while it waits for the GPU: spinning against Event(blocking=True)?

Expect: synchronize() of device, stream and default event: the process's CPU time is nearly all of the wall time;
blocking=True: a few per cent, and it notices the end later. Event.wait() never holds the host, whatever `blocking` says
(its docstring: "if True, wait() will be blocking").
"""
import json, time, threading
from statistics import median
import torch
def out(**k): print(json.dumps(k), flush=True)
x = torch.zeros(64, device="cuda")
HOLD = 100_000_000  # ~50 ms
torch.cuda._sleep(1000); x.add_(1); torch.cuda.synchronize()
def waits(wait, cycles=HOLD):
    torch.cuda.synchronize(); torch.cuda._sleep(cycles); w = wait[0]()
    c, t, th = time.process_time(), time.perf_counter(), time.thread_time()
    wait[1](w)
    return time.process_time() - c, time.perf_counter() - t, time.thread_time() - th
def mk(**k):
    def f():
        e = torch.cuda.Event(**k); e.record(); return e
    return f
WAYS = {"device": (lambda: None, lambda w: torch.cuda.synchronize()), "stream": (lambda: None, lambda w: torch.cuda.current_stream().synchronize()),
        "event": (mk(), lambda e: e.synchronize()), "blocking": (mk(blocking=True), lambda e: e.synchronize()),
        "item": (lambda: None, lambda w: x[0].item()),
        "polling 1 ms": (mk(), lambda e: [time.sleep(0.001) for _ in iter(e.query, True)])}
try:
    for n, w in WAYS.items(): waits(w, 1000)
    for rnd in range(2):
        for n, w in WAYS.items():
            r = [waits(w) for _ in range(5)]
            out(way=n, cpu_share=[round(a / b, 3) for a, b, _ in r], thread_share=round(median(c / b for _, b, c in r), 3), wall_ms=round(median(b for _, b, _ in r) * 1e3, 3))
    for n, w in WAYS.items():
        r = [waits(w, 200_000) for _ in range(40)]
        out(way=n, short_wall_us=round(median(b for _, b, _ in r) * 1e6, 1))
except Exception as e: out(error=repr(e))
try:
    for k in ({}, {"blocking": True}, {"blocking": True, "enable_timing": True}):
        torch.cuda.synchronize(); torch.cuda._sleep(HOLD); e = torch.cuda.Event(**k); e.record(); t = time.perf_counter(); e.wait(); d = time.perf_counter() - t
        out(kind=str(k), wait_us=round(d * 1e6, 1), done=e.query())
        torch.cuda.synchronize()
    # does the wait let other Python threads run?
    for k in ({}, {"blocking": True}):
        n = [0]; stop = [False]
        def count():
            while not stop[0]: n[0] += 1
        th = threading.Thread(target=count); torch.cuda._sleep(HOLD); e = torch.cuda.Event(**k); e.record(); th.start(); e.synchronize(); stop[0] = True; th.join(); out(thread_counts=n[0], kind=str(k))
except Exception as e: out(error=repr(e))
