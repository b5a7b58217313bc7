"""Clock, power and what nvidia-smi tells without root, in six states.

Expect: resting below half (page), after the context alone (no work) already high (the title says so), 1980 MHz busy
and after a pause. Refutes the page: after the context alone the clock is still low; or under load it is far below 1980.
"""
import json, subprocess, time
def out(**k): print(json.dumps(k), flush=True)
Q = "clocks.sm,clocks.mem,clocks.max.sm,power.draw,power.draw.instant,power.limit,enforced.power.limit,power.default_limit,power.max_limit,temperature.gpu,pstate,clocks_event_reasons.active,clocks_event_reasons.sw_power_cap,persistence_mode,clocks.applications.graphics"
def smi(q=Q):
    r = subprocess.run(["nvidia-smi", "--query-gpu=" + q, "--format=csv,noheader", "--id=0"], capture_output=True, text=True)
    return (r.stdout + r.stderr).strip()
t = time.perf_counter(); out(case="resting 0", q=Q, v=smi(), query_s=round(time.perf_counter() - t, 3))
time.sleep(1.5); out(case="resting 1.5 s later", v=smi())
import torch
try:
    t = time.perf_counter(); torch.cuda.init(); torch.cuda.current_stream().synchronize() if False else None
    x = torch.empty(1, device="cuda"); out(case="context alone", context_s=round(time.perf_counter() - t, 3), v=smi())
    time.sleep(0.7); out(case="context alone, 0.7 s later", v=smi())
    a, b, c = (torch.randn(2048, 2048, device="cuda") for _ in range(3))
    def during(work):
        p = subprocess.Popen(["nvidia-smi", "--query-gpu=" + Q, "--format=csv,noheader", "--id=0"], stdout=subprocess.PIPE, text=True)
        busy = True
        while p.poll() is None: work()
        busy = not torch.cuda.current_stream().query()
        torch.cuda.synchronize()
        return p.communicate()[0].strip(), busy
    def fp32():
        for _ in range(5): torch.mm(a, b, out=c)
        e = torch.cuda.Event(); e.record()
        fp32.q.append(e)
        if len(fp32.q) > 4: fp32.q.pop(0).synchronize()
    fp32.q = []
    t = time.perf_counter()
    while time.perf_counter() < t + 0.5: fp32()
    v, busy = during(fp32); out(case="while it works", v=v, still_busy=busy)
    out(case="just after", v=smi())
    for s in (0.2, 1, 1): time.sleep(s); out(case=f"paused {s} s more", v=smi())
except Exception as e: out(error=repr(e))
try:
    for q in ("clocks_event_reasons.supported", "clocks.max.memory"): out(q=q, v=smi(q))
    # what root is needed for is only asked for, never set: -lgc is NOT called
    import os; out(uid=os.getuid())
except Exception as e: out(error=repr(e))
