"""Attack: 'batched: 0 changed, 0 overflowed' (sums.md, last table) for 16 distinct matrices per batch, stored apart, baddbmm, linear."""
# LONG 6
import os, torch
import warnings; warnings.simplefilter("ignore")
from itertools import product
DEVICE = os.environ.get("DEVICE", "cuda"); CUDA = DEVICE == "cuda"
flags, B = torch.backends.cuda.matmul, 16
SHAPES = [(16, 16), (16, 1024), (128, 128)] if CUDA else [(4, 4)]
TERMS = (4096, 16384) if CUDA else (64,)
CALLS = {"bmm": lambda a, b: a @ b, "baddbmm": lambda a, b: torch.baddbmm(a.new_zeros(a.shape[0], a.shape[1], b.shape[2]), a, b),
         "linear 3d": lambda a, b: torch.nn.functional.linear(a, b[0].T)}
def both(call, a, b):
    out = []
    for on in (True, False):
        flags.allow_fp16_reduced_precision_reduction = flags.allow_bf16_reduced_precision_reduction = on
        out.append(CALLS[call](a, b))
    return out
def stored(x, by): return x.mT.contiguous().mT if by == "T" else x.contiguous()
rows = {c: {"cases": 0, "fp16": 0, "bf16": 0, "overflowed": 0, "in_full": 0} for c in CALLS}
for (m, n), k, (dim, more) in product(SHAPES, TERMS, [("none", 0), *product("mnk", (8, 4, 1))]):
    m2, n2, k2 = m + more * (dim == "m"), n + more * (dim == "n"), k + more * (dim == "k")
    torch.manual_seed(0)
    a, b = torch.randn(B, m2, k2, device=DEVICE), torch.randn(B, k2, n2, device=DEVICE)
    za, zb = torch.full_like(a, 16), torch.full_like(b, 16); zb[:, k2 // 2:] = -16; zb[:, 2 * (k2 // 2):] = 0
    for layout, call in product(("NN", "NT", "TN"), CALLS):
        row = rows[call]; row["cases"] += 1
        for kind, dtype in (("fp16", torch.half), ("bf16", torch.bfloat16)):
            once = both(call, stored(a.to(dtype), layout[0]), stored(b.to(dtype), layout[1]))
            row[kind] += not torch.equal(*once)
        z = both(call, stored(za.half(), layout[0]), stored(zb.half(), layout[1]))
        row["overflowed"] += not z[0].isfinite().all().item(); row["in_full"] += not z[1].isfinite().all().item()
print(rows)
bad = [c for c in ("bmm", "baddbmm") if rows[c]["fp16"] or rows[c]["bf16"] or rows[c]["overflowed"]] + [c + " in full" for c in rows if rows[c]["in_full"]]
print(f"REFUTED {bad}" if bad else "HOLDS no batched product changed or overflowed; none with full sums")
