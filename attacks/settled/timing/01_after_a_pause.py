"""After a pause of 0.1 s (or 1 s): does the first product take longer, or only its pair of events?

Expect: idle, the first of three pairs shows 1.3 to 1.7 times the last; behind a held stream 1.00; the profiler's
duration of the kernel is the same for the first and the last. A pause that the host spends spinning shows less
(then it is the host that is late after a sleep) or as much (then it is the GPU).
Refutes the page: held ratio off 1 by more than 5 %, or the kernel's own duration differs.
"""
import itertools, json, time
from statistics import median
import torch

def out(**k): print(json.dumps(k), flush=True)
a, b, c = (torch.randn(2048, 2048, device="cuda") for _ in range(3))
def product(): torch.mm(a, b, out=c)
until = time.perf_counter() + 0.5
while time.perf_counter() < until:
    product(); torch.cuda._sleep(1000); torch.cuda.synchronize()

def sleep_(s): time.sleep(s)
def spin(s):
    t = time.perf_counter() + s
    while time.perf_counter() < t: pass

def three(pause, s, held):
    torch.cuda.synchronize()
    pause(s)
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
    if held: torch.cuda._sleep(20_000_000)
    t0 = time.perf_counter()
    marks[0].record()
    t1 = time.perf_counter()
    product()
    t2 = time.perf_counter()
    marks[1].record()
    for m in marks[2:]:
        product(); m.record()
    ok = not marks[0].query()
    torch.cuda.synchronize()
    return [x.elapsed_time(y) for x, y in itertools.pairwise(marks)], t1 - t0, t2 - t1, ok

try:
    for rnd in range(1):
        for s, n in ((0.0, 8), (0.1, 4), (0.5, 1)):
            for pname, pause in (("sleep", sleep_), ("spin", spin)):
                for held in (False, True):
                    r = [three(pause, s, held) for _ in range(n)]
                    out(case="pause", pause_s=s, how=pname, held=held, round=rnd,
                        first_ms=[round(x[0][0], 4) for x in r], last_ms=round(median(x[0][2] for x in r), 4),
                        ratio=round(median(x[0][0] / x[0][2] for x in r), 4),
                        second=round(median(x[0][1] / x[0][2] for x in r), 4),
                        record_us=round(median(x[1] for x in r) * 1e6, 1), call_us=round(median(x[2] for x in r) * 1e6, 1),
                        still_held=sum(x[3] for x in r))
except Exception as e: out(error=repr(e))
try:
    from torch.autograd import DeviceType
    from torch.profiler import profile
    for s in (0.0, 0.1):
        rows = []
        for _ in range(4):
            torch.cuda.synchronize()
            with profile(acc_events=True) as p:
                product(); torch.cuda.synchronize(); time.sleep(s)
                product(); product(); product(); torch.cuda.synchronize()
            k = sorted((e.time_range.start, e.time_range.end) for e in p.events() if e.device_type == DeviceType.CUDA and "Mem" not in e.name)
            rows.append([round(y - x, 1) for x, y in k][-3:])
        out(case="profiler kernel durations us, the three after the pause", pause_s=s, rows=rows)
except Exception as e: out(error=repr(e))
