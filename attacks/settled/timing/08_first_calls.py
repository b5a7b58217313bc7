"""First calls, one by one: how they spread, and what other reasons cost: first allocation, cuBLAS, cuDNN, lazy loading.

Expect: two clusters (about 0.2 ms and 5 ms seen as iqr 5 ms); every first call at least 10 times its later one; first product 10 to
100 ms (cuBLAS handle and its workspace); first large allocation 0.1 to 1 ms against 10 us cached.
"""
import json, os, subprocess, sys, time
from statistics import median
PROGRAM = '''
import json, time
from statistics import median
import torch
def out(**k): print(json.dumps(k), flush=True)
t = time.perf_counter(); x = torch.full((1000,), 0.5, device="cuda"); torch.cuda.synchronize(); out(context_s=round(time.perf_counter() - t, 4))
torch.cuda._sleep(1000)
def s(f):
    torch.cuda.synchronize(); t = time.perf_counter(); r = f(); torch.cuda.synchronize(); return time.perf_counter() - t
def row(name, f, n=5):
    a = s(f); b = [s(f) for _ in range(n)]; out(name=name, first_us=round(a * 1e6), second_us=round(b[0] * 1e6, 1), later_us=round(median(b) * 1e6, 1), ratio=round(a / median(b)))
u = time.perf_counter() + 0.3
while time.perf_counter() < u: torch.cuda._sleep(100000); torch.cuda.synchronize()
for name in "sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh exp expm1 log log2 log10 log1p sqrt rsqrt".split(): row(name, lambda: getattr(torch, name)(x))
a = torch.full((1024, 1024), 0.5, device="cuda"); b = torch.empty_like(a)
row("first allocation 1 GiB", lambda: torch.empty(2**30, dtype=torch.uint8, device="cuda"))
row("first allocation 20 MiB", lambda: torch.empty(20 * 2**20, dtype=torch.uint8, device="cuda"))
row("mm into a buffer (handle, kernel)", lambda: torch.mm(a, a, out=b))
c = torch.full((300, 300), 0.5, device="cuda"); d = torch.empty_like(c)
row("mm of another shape", lambda: torch.mm(c, c, out=d))
h = a.half(); hb = torch.empty_like(h)
row("mm half", lambda: torch.mm(h, h, out=hb))
i = torch.full((8, 16, 64, 64), 0.5, device="cuda"); k = torch.full((16, 16, 3, 3), 0.5, device="cuda")
row("conv2d (cuDNN)", lambda: torch.nn.functional.conv2d(i, k))
k5 = torch.full((16, 16, 5, 5), 0.5, device="cuda")
row("conv2d, another shape", lambda: torch.nn.functional.conv2d(i, k5))
torch.backends.cudnn.benchmark = True
k7 = torch.full((16, 16, 7, 7), 0.5, device="cuda")
row("conv2d, benchmark", lambda: torch.nn.functional.conv2d(i, k7))
row("sort", lambda: torch.sort(x)); row("linalg.inv", lambda: torch.linalg.inv(torch.eye(64, device="cuda")))
'''
for mode in ("LAZY", "EAGER"):
    try:
        r = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, "CUDA_MODULE_LOADING": mode}, capture_output=True, text=True, timeout=60)
        print(json.dumps({"mode": mode})); print(r.stdout, r.stderr[-600:], flush=True)
    except Exception as e: print(json.dumps({"error": repr(e)}))
