"""Rates by what is in the matrices: zeros, ones, small integers, uniform, normal; FP32, TF32, BF16; 4096 and 8192; interleaved. (C)

Expect: zeros faster than noise, most in the fastest mode (power, clock). Refuted if all within 2 %.
"""
import json, time
from statistics import median
import torch

def say(**k): print(json.dumps(k, default=str), flush=True)
b = torch.backends
N = 8192
torch.manual_seed(0)
def make(kind):
    s = (N, N)
    return {"zeros": lambda: torch.zeros(s, device="cuda"), "ones": lambda: torch.ones(s, device="cuda"), "integers": lambda: torch.randint(-2, 3, s, device="cuda").float(), "uniform": lambda: torch.rand(s, device="cuda"), "normal": lambda: torch.randn(s, device="cuda"), "sparse": lambda: torch.randn(s, device="cuda") * (torch.rand(s, device="cuda") < 0.1)}[kind]()
kinds = ("zeros", "ones", "integers", "uniform", "normal", "sparse")
data = {k: (make(k), make(k)) for k in kinds}
half = {k: (x.bfloat16(), y.bfloat16()) for k, (x, y) in data.items()}
def run(mode, kind):
    b.cuda.matmul.fp32_precision = "tf32" if mode == "TF32" else "ieee"
    x, y = (half if mode == "BF16" else data)[kind]
    torch.cuda.synchronize(); t = time.perf_counter()
    reps = {"FP32": 1, "TF32": 4, "BF16": 8}[mode]
    for _ in range(reps): x @ y
    torch.cuda.synchronize(); return (time.perf_counter() - t) / reps
for m in ("FP32", "TF32", "BF16"):
    for k in kinds: run(m, k)
for m in ("FP32", "TF32", "BF16"):
    got = {k: [] for k in kinds}
    for i in range(8):
        for k in (kinds if i % 2 else kinds[::-1]): got[k].append(run(m, k))
    say(mode=m, tflops={k: round(2 * N**3 / median(v) / 1e12, 1) for k, v in got.items()}, over_normal={k: round(median(got["normal"]) / median(v), 3) for k, v in got.items()}, spread={k: [round(2 * N**3 / x / 1e12, 1) for x in (max(v), min(v))] for k, v in got.items()})
