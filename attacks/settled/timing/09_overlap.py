"""Bold sentences of overlap.md, without the profiler and from other sides.

a) host done before the copy: after queueing 8 copies aside and 4 products, is the copy stream still busy? expect 20 of 20.
b) overlap by wall time: copy and compute apart against together, per case: pinned two streams about max(), the others about the sum.
c) backward beside a copy; memory-bound work beside copies (1.03); d) copy in a CUDA graph; cudaMemcpyBatchAsync exists?
e) two H2D in two streams: the second waits (engine): per-event times. f) does a compute beside two-way copies slow?
"""
import ctypes, json, time
from statistics import median
import torch
def out(**k): print(json.dumps(k), flush=True)
S = 64 * 2**20
pin, page = torch.ones(S, dtype=torch.uint8, pin_memory=True), torch.ones(S, dtype=torch.uint8)
tgt = torch.empty(S, dtype=torch.uint8, device="cuda"); f = torch.ones(2048, 2048, device="cuda"); p = torch.empty_like(f)
side, main = torch.cuda.Stream(), torch.cuda.current_stream()
def copy(src, nb=True): tgt.copy_(src, non_blocking=nb)
def compute(k=4):
    for _ in range(k): torch.mm(f, f, out=p)
def aside(w, *a):
    with torch.cuda.stream(side): w(*a)
def wall(fn):
    torch.cuda.synchronize(); t = time.perf_counter(); fn(); h = time.perf_counter() - t; torch.cuda.synchronize(); return time.perf_counter() - t, h
CASES = {"copy": lambda: copy(pin), "pagecopy": lambda: copy(page), "compute": compute, "pageable-one": lambda: (copy(page), compute()), "pageable-two": lambda: (aside(copy, page), compute()),
    "pinned-one": lambda: (copy(pin), compute()), "pinned-two": lambda: (aside(copy, pin), compute()), "swapped": lambda: (copy(pin), aside(compute)),
    "pageable-last": lambda: (compute(), aside(copy, page)), "blocking": lambda: (aside(copy, pin, False), compute()), "blocking-last": lambda: (compute(), aside(copy, pin, False))}
u = time.perf_counter() + 0.3
while time.perf_counter() < u:
    for c in CASES.values(): wall(c)
try:
    rows = {n: [] for n in CASES}
    for _ in range(8):
        for n, c in CASES.items(): rows[n].append(wall(c))
    for n, r in rows.items(): out(case=n, wall_us=round(median(x[0] for x in r) * 1e6), host_us=round(median(x[1] for x in r) * 1e6))
    def free():
        torch.cuda.synchronize(); [aside(copy, pin) for _ in range(8)]; compute(); return not side.query()
    out(host_done_first=sum(free() for _ in range(20)))
    def free1():
        torch.cuda.synchronize(); aside(copy, pin); compute(); return not side.query()
    out(host_done_first_single_copy=sum(free1() for _ in range(20)))
except Exception as e: out(error=repr(e))
try:
    m = torch.nn.Sequential(*[torch.nn.Linear(2048, 2048) for _ in range(4)]).cuda(); z = torch.randn(2048, 2048, device="cuda")
    def step(): m(z).sum().backward()
    for _ in range(5): wall(step)
    a = median(wall(step)[0] for _ in range(8)); k = 3
    c = median(wall(lambda: [aside(copy, pin) for _ in range(k)])[0] for _ in range(8)); b = median(wall(lambda: ([aside(copy, pin) for _ in range(k)], step()))[0] for _ in range(8))
    out(case="forward and backward beside copies", step_us=round(a * 1e6), copies_us=round(c * 1e6), both_us=round(b * 1e6))
except Exception as e: out(error=repr(e))
try:
    g = torch.cuda.CUDAGraph(); small = [torch.ones(4096, pin_memory=True) for _ in range(50)]; there = [torch.empty(4096, device="cuda") for _ in range(50)]
    def many():
        for s, t in zip(small, there): t.copy_(s, non_blocking=True)
    many(); torch.cuda.synchronize()
    with torch.cuda.graph(g): many()
    g.replay(); torch.cuda.synchronize()
    rows = [(wall(many), wall(g.replay)) for _ in range(9)]
    small[7].fill_(5); g.replay(); torch.cuda.synchronize()
    out(case="50 copies of 16 KiB, loop and graph", loop_us=round(median(r[0][0] for r in rows) * 1e6, 1), graph_us=round(median(r[1][0] for r in rows) * 1e6, 1), host_loop=round(median(r[0][1] for r in rows) * 1e6, 1), host_graph=round(median(r[1][1] for r in rows) * 1e6, 1), replays_new_bytes=bool((there[7] == 5).all()))
except Exception as e: out(error=repr(e))
try:
    r = ctypes.CDLL("libcuda.so.1"); out(batch_in_driver=hasattr(r, "cuMemcpyBatchAsync"), v2=hasattr(r, "cuMemcpyBatchAsync_v2"), torch_has=[n for n in dir(torch.cuda) if "atch" in n])
    from cuda.bindings import runtime as rt; out(bindings=hasattr(rt, "cudaMemcpyBatchAsync"))
except Exception as e: out(error=repr(e))
try:
    tgt2, s2 = torch.empty_like(tgt), torch.cuda.Stream()
    for size in (S,):
        e = [torch.cuda.Event(enable_timing=True) for _ in range(5)]
        torch.cuda._sleep(2_000_000); e[0].record(); side.wait_event(e[0]); s2.wait_event(e[0])
        with torch.cuda.stream(side): e[1].record(); tgt.copy_(pin, non_blocking=True); e[2].record()
        with torch.cuda.stream(s2): e[3].record(); tgt2.copy_(pin, non_blocking=True); e[4].record()
        torch.cuda.synchronize(); out(case="two H2D, two streams: ends in us", first=round(e[0].elapsed_time(e[2]) * 1e3), second=round(e[0].elapsed_time(e[4]) * 1e3))
except Exception as e: out(error=repr(e))
