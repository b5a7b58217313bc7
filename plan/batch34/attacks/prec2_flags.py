"""Claim: with the reduced-precision flag off, no FP16 product of zero sums overflows; batched ones ignore the flag."""
import torch
from torch.nn import functional as F
m = torch.backends.cuda.matmul
def make(r, t, c):
    a = torch.full((r, t), 16.0, device="cuda", dtype=torch.half); b = torch.full((t, c), 16.0, device="cuda", dtype=torch.half)
    b[t // 2:] = -16
    return a, b
calls = {
    "mm": lambda a, b: a @ b, "mm, b transposed": lambda a, b: a @ b.T.contiguous().T, "mm, a transposed": lambda a, b: a.T.contiguous().T @ b,
    "linear": lambda a, b: F.linear(a, b.T), "linear+bias": lambda a, b: F.linear(a, b.T, b[0] * 0), "addmm": lambda a, b: torch.addmm(b[0] * 0, a, b),
    "einsum": lambda a, b: torch.einsum("rt,tc->rc", a, b), "3-D by 2-D": lambda a, b: a[None].expand(3, -1, -1) @ b, "mv": lambda a, b: a @ b[:, 0],
    "autocast": lambda a, b: torch.autocast("cuda", torch.half)(torch.mm)(a.float(), b.float()), "out_dtype": lambda a, b: torch.mm(a, b, out_dtype=torch.float32),
    "bmm 2": lambda a, b: torch.bmm(a.expand(2, -1, -1), b.expand(2, -1, -1)), "bmm 1": lambda a, b: torch.bmm(a[None], b[None]),
    "baddbmm": lambda a, b: torch.baddbmm(torch.zeros(2, a.shape[0], b.shape[1], device="cuda", dtype=torch.half), a.expand(2, -1, -1), b.expand(2, -1, -1)),
}
bad_off, differ = {}, {}
for lib in ("default", "cublaslt"):
    torch.backends.cuda.preferred_blas_library(lib)
    for r, t, c in ((1, 65536, 64), (7, 32768, 33), (64, 65536, 64), (16, 131072, 16), (512, 65536, 128), (64, 8192, 64)):
        a, b = make(r, t, c)
        for name, call in calls.items():
            ok = []
            for flag in (True, False):
                m.allow_fp16_reduced_precision_reduction = flag
                ok.append(call(a, b).isfinite().all().item())
            if not ok[1]: bad_off.setdefault(f"{name}/{lib}", []).append((r, t, c))
            if ok[0] != ok[1]: differ.setdefault(f"{name}/{lib}", []).append((r, t, c))
print("not finite with the flag off:", bad_off); print("flag matters:", differ)
refuted = any("bmm 2" not in k and "baddbmm" not in k for k in bad_off) or any(k in ("bmm 2/default", "baddbmm/default") for k in differ)
print("REFUTED" if refuted else "HOLDS", "- if HOLDS with nothing in 'flag matters', the page's hazard cannot be shown here")
