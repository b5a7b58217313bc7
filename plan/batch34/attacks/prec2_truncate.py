"""Claims: sums of positive numbers are too low in TF32, FP16, BF16 (nearly all), FP8 fast much more; for other shapes, layouts and kernels."""
import torch
E = torch.float8_e4m3fn; one = torch.ones((), device="cuda"); refuted = []
for M, N, K in ((16, 16, 4096), (64, 4096, 4096), (1, 512, 4096), (512, 512, 4095), (2048, 2048, 4096), (512, 512, 65536), (17, 48, 4096)):
    torch.manual_seed(0); a = torch.rand(M, K, device="cuda").to(E).float(); b = torch.rand(N, K, device="cuda").to(E).float(); truth = a.double() @ b.double().T; out = {}
    for p in ("ieee", "tf32"): torch.backends.cuda.matmul.fp32_precision = p; out[p] = a @ b.T
    for d in (torch.half, torch.bfloat16): out[str(d)[6:]] = torch.mm(a.to(d), b.to(d).T, out_dtype=torch.float32)
    if K % 16 == 0 and N % 16 == 0:
        for fast in (False, True): out[f"fp8 {fast}"] = torch._scaled_mm(a.to(E), b.to(E).T, one, one, out_dtype=torch.float32, use_fast_accum=fast)
    low = {n: ((o.double() < truth).double().mean().item(), ((truth - o.double()) / truth).mean().item()) for n, o in out.items()}
    print((M, N, K), {n: f"{l:.0%} {s:.1e}" for n, (l, s) in low.items()})
    refuted += [(M, N, K, n) for n, (l, _) in low.items() if n in ("tf32", "float16", "bfloat16") and l < 0.95]
print("REFUTED for" if refuted else "HOLDS", refuted)
