"""Attack: fp8.md 'put a lower bound on the scale' and '_scaled_mm' calls that run or raise, for the public F.scaled_mm and zero rows."""
import os, torch
from torch.nn import functional as F
DEVICE = os.environ.get("DEVICE", "cuda")
if not hasattr(F, "scaled_mm"): raise SystemExit(f"ERROR torch {torch.__version__} has no public scaled_mm")
LARGEST, R = 448.0, F.ScalingType
def quantize(x, rows=False, bound=1e-12):
    top = x.abs().amax(1, keepdim=True) if rows else x.abs().max().reshape(1, 1)
    scale = (top.float() / LARGEST).clamp(min=bound)
    return (x / scale).clamp(-LARGEST, LARGEST).to(torch.float8_e4m3fn), scale
torch.manual_seed(0)
x, w = torch.randn(256, 512, device=DEVICE), torch.randn(512, 512, device=DEVICE)
x[3] = 0; w[5] = 0; none = torch.zeros_like(x)
seen = {}
for rows in (False, True) if DEVICE == "cuda" else (False,):
    (a, s), (b, t) = quantize(x, rows), quantize(w, rows)
    recipe = R.RowWise if rows else R.TensorWise
    for fast in (False, True):
        old = torch._scaled_mm(a, b.T, s, t.T, out_dtype=torch.bfloat16, use_fast_accum=fast)
        new = F.scaled_mm(a, b.T, s, recipe, t.T, recipe, output_dtype=torch.bfloat16, use_fast_accum=fast)
        seen[f"rows={rows} fast={fast}"] = (torch.equal(old, new), old.isfinite().all().item(), (old[3] == 0).all().item() and (old[:, 5] == 0).all().item())
a, s = quantize(none); b, t = quantize(w)
zero = torch._scaled_mm(a, b.T, s, t.T, out_dtype=torch.bfloat16)
seen["all zeros"] = (zero.isfinite().all().item(), (zero == 0).all().item())
n, _ = quantize(none, bound=0.0); seen["NaN without a bound"] = n.float().isnan().all().item()
small = x * 1e-14  # below the bound: its rows have numbers, but the bound makes them zeros
a, s = quantize(small, True); seen["lost below the bound"] = ((a.float() == 0) & (small != 0)).float().mean().item()
by_rows = "runs"
try: F.scaled_mm(quantize(x)[0], quantize(w)[0].T.contiguous(), quantize(x)[1], R.TensorWise, quantize(w)[1], R.TensorWise)
except (RuntimeError, ValueError) as error: by_rows = f"{type(error).__name__}: {error}"[:90]
seen["second row by row, public"] = by_rows
print(seen)
good = all(v == (True, True, True) for k, v in seen.items() if k.startswith("rows=")) and seen["all zeros"] == (True, True) and seen["NaN without a bound"]
why = "" if good else " results differ, or a zero row is not zero"
print(f"HOLDS same bits, zeros stay zeros; the bound loses {seen['lost below the bound']:.0%} of numbers near 1e-14" if good else "REFUTED" + why)
