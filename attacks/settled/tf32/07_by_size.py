"""FP32 against TF32 by size: square, skinny, batched; held stream and plain host loop. (C)

Expect: no gain up to some hundreds (kernel-launch bound in a host loop; latency bound on the GPU); m=1 none. Bits tell if TF32 is used.
Refutes nothing by itself; settles where "several times as fast" ends.
"""
import json, time
from statistics import median
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
torch.manual_seed(0)
def setp(p): b.cuda.matmul.fp32_precision = p
def held(fn, n):
    s, e = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda._sleep(int(4e6) if n > 10 else 1_000_000)
    s.record()
    for _ in range(n): fn()
    e.record(); torch.cuda.synchronize()
    return s.elapsed_time(e) / n * 1e-3
def host(fn, n):
    torch.cuda.synchronize(); t = time.perf_counter()
    for _ in range(n): fn()
    torch.cuda.synchronize(); return (time.perf_counter() - t) / n
warm = torch.randn(4096, 4096, device="cuda"); t = time.perf_counter()
while time.perf_counter() - t < 0.5: warm @ warm; torch.cuda.synchronize()
cases = [("square", (n, n, n)) for n in (16, 32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192)]
cases += [("m", (m, 4096, 4096)) for m in (1, 2, 4, 8, 16, 32, 64, 128, 512)] + [("odd", (1023, 1023, 1023)), ("odd", (4095, 4095, 4095)), ("k=8", (4096, 8, 4096)), ("k=64", (4096, 64, 4096)), ("k=512", (4096, 512, 4096))]
cases += [("bmm", (512, 64, 64, 64)), ("bmm", (64, 256, 256, 256))]
for kind, shape in cases:
    try:
        if kind == "bmm":
            B, m, k, n = shape; x, y = torch.randn(B, m, k, device="cuda"), torch.randn(B, k, n, device="cuda"); flop = 2 * B * m * k * n
        else:
            m, k, n = shape; x, y = torch.randn(m, k, device="cuda"), torch.randn(k, n, device="cuda"); flop = 2 * m * k * n
        out = torch.empty_like(x @ y)
        fn = lambda: torch.matmul(x, y, out=out)
        setp("ieee"); fn(); f = out.clone(); setp("tf32"); fn(); changed = not torch.equal(f, out)
        truth = x.double() @ y.double(); ef, et = (f - truth).abs().max().item(), (out - truth).abs().max().item()
        reps = 40 if flop < 2e10 else 4
        got = {p: {"held": [], "host": []} for p in ("ieee", "tf32")}
        for i in range(7):
            for p in (("ieee", "tf32") if i % 2 else ("tf32", "ieee")):
                setp(p); fn()
                got[p]["held"].append(held(fn, reps)); got[p]["host"].append(host(fn, reps))
        m_ = {p: {w: median(v) for w, v in d.items()} for p, d in got.items()}
        say(kind=kind, shape=shape, changed=changed, err_ratio=round(et / ef, 1) if ef else None, held_us=[round(m_[p]["held"] * 1e6, 2) for p in ("ieee", "tf32")], host_us=[round(m_[p]["host"] * 1e6, 2) for p in ("ieee", "tf32")], held_ratio=round(m_["ieee"]["held"] / m_["tf32"]["held"], 2), host_ratio=round(m_["ieee"]["host"] / m_["tf32"]["host"], 2), tflops=[round(flop / m_[p]["held"] / 1e12, 2) for p in ("ieee", "tf32")])
    except Exception as e:
        say(kind=kind, shape=shape, error=str(e)[:200])
