"""Claim the-flags-change-no-bit (reduced-precision flags, 256 cases of `a @ w.T.contiguous()` and linear): other layouts and calls.

REFUTED: in some case with a layout NN, NT, TN or TT (mm, addmm, bmm, out_dtype, odd sizes, one row),
the flags change a bit, or a zero sum comes out infinite or NaN with the flag on.
"""
import itertools, torch
m = torch.backends.cuda.matmul; d = "cuda"; bad, unsteady, cases = [], 0, 0
CALLS = {"mm": lambda a, b: a @ b, "addmm": lambda a, b: torch.addmm(b.new_zeros(b.shape[1]), a, b), "baddbmm": lambda a, b: torch.baddbmm(b.new_zeros(2, a.shape[0], b.shape[1]), a.expand(2, -1, -1), b.expand(2, -1, -1)), "mv": lambda a, b: a @ b[:, 0]}
def laid(x, t): return x.T.contiguous().T if t else x.contiguous()
def both(f):
    out = []
    for on in (True, False): m.allow_fp16_reduced_precision_reduction = m.allow_bf16_reduced_precision_reduction = on; out.append(f())
    return out
for library in ("cublas", "cublaslt"):
    torch.backends.cuda.preferred_blas_library(library)
    for (r, c), k, dtype in itertools.product(((1, 64), (8, 8), (16, 4096), (63, 65), (128, 128), (2048, 16), (1000, 1000)), (4096, 4097, 32768), (torch.half, torch.bfloat16)):
        torch.manual_seed(0); a, b = torch.randn(r, k, device=d).to(dtype), torch.randn(k, c, device=d).to(dtype)
        za, zb = torch.full((r, k), 16.0, device=d).to(dtype), torch.full((k, c), 16.0, device=d).to(dtype); zb[k // 2:] = -16; za[:, -(k % 2):] = 0 if k % 2 else za[:, -1:]
        for ta, tb in itertools.product((0, 1), (0, 1)):
            x, y, u, v = laid(a, ta), laid(b, tb), laid(za, ta), laid(zb, tb)
            for name, f in CALLS.items():
                cases += 1; on, off = both(lambda: f(x, y)); again = both(lambda: f(x, y))[0]; where = f"{library} {name} {'NT'[ta]}{'NT'[tb]} {r}x{k}x{c} {str(dtype)[6:]}"
                if not torch.equal(on, off): bad.append(f"{where}: bits change" + (" (also between runs)" if not torch.equal(on, again) else ""))
                unsteady += not torch.equal(on, again)
                if dtype is torch.half:
                    zon, zoff = both(lambda: f(u, v))
                    if not zon.isfinite().all(): bad.append(f"{where}: zero sums overflow with the flag on" + ("" if zoff.isfinite().all() else " and off"))
print(f"{'REFUTED' if bad else 'HOLDS'}: {len(bad)} of {cases} cases ({unsteady} differ between two runs): {bad[:8]}")
