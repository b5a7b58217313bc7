"""Claims: layouts that raise, rows free, no derivative; fast accumulation at most 1.3 times as fast, at several sizes."""
import torch
E = torch.float8_e4m3fn; one = torch.ones((), device="cuda"); refuted = []
def t(f, n=20):
    f(); torch.cuda._sleep(10**6); s, e = (torch.cuda.Event(enable_timing=True) for _ in "ab"); s.record(); [f() for _ in range(n)]; e.record(); torch.cuda.synchronize(); return s.elapsed_time(e) / n
for size in (512, 1024, 4096, 8192):
    a = torch.randn(size, size, device="cuda").to(E); ts = []
    for fast in (False, True, False, True): ts.append(t(lambda: torch._scaled_mm(a, a.T, one, one, out_dtype=torch.bfloat16, use_fast_accum=fast)))
    r = (ts[0] + ts[2]) / (ts[1] + ts[3]); print(size, f"fast gains {r:.2f}"); refuted += [size] if r > 1.3 else []
for rows in (1, 2, 3, 15, 17, 33):
    torch._scaled_mm(a[:rows], a.T, one, one, out_dtype=torch.bfloat16)
x = torch.tensor([449., 464., 465., 1e6, float("inf"), -465.], device="cuda")
for d in (torch.float32, torch.half, torch.bfloat16): print(d, x.to(d).to(E).float().tolist())
refuted += ["saturates"] if x[3:4].to(E).float().isfinite().item() else []
print("REFUTED" if refuted else "HOLDS", refuted)
