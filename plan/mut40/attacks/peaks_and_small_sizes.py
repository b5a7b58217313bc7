"""Attack: throughput.md 'no mode reaches the peak of the data sheet', 'FP64 is faster than FP32', 'fast if its numbers have few bits': numbers that cost no power, layouts, addmm and bmm, small and thin matrices."""
# ALONE
import os, time, warnings, torch
warnings.simplefilter("ignore")
DEVICE = os.environ.get("DEVICE", "cuda"); CUDA = DEVICE == "cuda"
PEAKS = {"fp64": 67, "fp32": 67, "tf32": 494.7, "bf16": 989.4, "fp16": 989.4, "fp8": 1978.9}  # TFLOP/s, dense, H100 SXM and H200
TYPES = {"fp64": torch.float64, "fp32": torch.float32, "tf32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.half, "fp8": torch.float8_e4m3fn}
ONE = torch.ones((), device=DEVICE)
def made(rows, columns, kind, data):
    torch.manual_seed(0)
    x = torch.randn(rows, columns, device=DEVICE) if data == "noise" else torch.full((rows, columns), float(data == "ones"), device=DEVICE)
    return x.to(TYPES[kind])
def multiply(a, b, kind, how):
    if kind == "fp8": return torch._scaled_mm(a, b.T, ONE, ONE, out_dtype=torch.bfloat16, use_fast_accum=True)
    if how == "NT": return a @ b.T
    if how == "TN": return a.T @ b
    if how == "addmm": return torch.addmm(b[0, :1].expand(len(b)), a, b.T)
    if how == "bmm": return a[None].expand(4, -1, -1) @ b.T[None].expand(4, -1, -1)
    return a @ b
def rate(m, k, n, kind, data="noise", how="NT", pause=0.02, tries=3):
    torch.backends.cuda.matmul.fp32_precision = "tf32" if kind == "tf32" else "ieee"
    a, b = made(m, k, kind, data), made(n, k, kind, data)
    if how == "NN": b = b.T.contiguous()
    if how == "TN": a, b = a.T.contiguous(), b.T.contiguous()
    work = 2 * m * k * n * (4 if how == "bmm" else 1); repeats = max(1, min(30, int(2e11 / work)))
    multiply(a, b, kind, how); best = 0.0
    for _ in range(tries):
        if not CUDA:
            begin = time.perf_counter(); multiply(a, b, kind, how); best = max(best, work / (time.perf_counter() - begin)); continue
        torch.cuda.synchronize(); time.sleep(pause)
        one, two = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(2_000_000); one.record()
        for _ in range(repeats): multiply(a, b, kind, how)
        two.record(); torch.cuda.synchronize()
        best = max(best, work * repeats / one.elapsed_time(two) * 1e3)
    return best / 1e12
if CUDA:  # warm
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until: rate(4096, 4096, 4096, "bf16", pause=0, tries=1)
SIZES = (4096, 8192, 12288) if CUDA else (64,)
share, bad = {}, []
for kind in TYPES if CUDA else ("fp32", "fp64"):
    found = {(s, d): rate(s, s, s, kind, d, tries=2 if s > 8192 else 3) for s in SIZES for d in ("noise", "ones", "zeros")}
    for data in ("noise", "ones", "zeros"):
        best = max(r for (s, d), r in found.items() if d == data)
        share[f"{kind} {data}"] = (round(best, 1), f"{best / PEAKS[kind]:.0%}")
        if best >= PEAKS[kind]: bad.append(f"{kind} {data} reaches its peak: {best:.0f}")
print({"best TFLOP/s and share of the peak": share}, flush=True)
small = {}
SHAPES = [(n, n, n) for n in (256, 512, 1024, 2048, 4096, 8192)] + [(16, 4096, 4096), (1, 4096, 4096), (4096, 64, 4096)] if CUDA else [(64, 64, 64)]
for m, k, n in SHAPES:
    for how in ("NT", "NN", "TN", "addmm", "bmm"):
        if m * k * n * (how == "bmm") > 2e11: continue
        one, two = (rate(m, k, n, kind, how=how, pause=0.0, tries=2) for kind in ("fp64", "fp32"))
        small[f"{m}x{k}x{n} {how}"] = round(one / two, 2)
print({"rate of FP64 / FP32": small}, flush=True)
slow = [s for s, r in small.items() if r < 1]
if slow: bad.append(f"FP64 is slower than FP32 in {slow}")
order = {}
for m, k, n in SHAPES if CUDA else ():
    found = {kind: rate(max(m, 16), k, n, kind, pause=0.0, tries=2) for kind in ("fp8", "bf16", "tf32", "fp32")}
    order[f"{max(m, 16)}x{k}x{n}"] = {kind: round(r, 1) for kind, r in found.items()}
    rates = list(found.values())
    if any(low < high for low, high in zip(rates, rates[1:])): bad.append(f"fewer bits are slower at {max(m, 16)}x{k}x{n}")
print({"TFLOP/s by bits": order}, flush=True)
print(f"REFUTED {bad}" if bad else "HOLDS no peak is reached, FP64 is the faster, fewer bits are faster everywhere")
