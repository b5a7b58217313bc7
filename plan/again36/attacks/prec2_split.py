"""Claim: with (False, False) and the default library, matmuls and linear layers without a bias raise; with a bias and batched ones run."""
import torch
from torch.nn import functional as F
m = torch.backends.cuda.matmul
for name in ("fp16", "bf16"): setattr(m, f"allow_{name}_reduced_precision_reduction", (False, False))
found = {}
for d in (torch.half, torch.bfloat16):
    for r, k, c in ((1024, 1024, 1024), (1, 1024, 1024), (3, 17, 5), (64, 4096, 1)):
        a, b = torch.randn(r, k, device="cuda", dtype=d), torch.randn(k, c, device="cuda", dtype=d)
        w = b.T.contiguous().requires_grad_()
        for n, f in {"mm": lambda: a @ b, "linear": lambda: F.linear(a, w), "linear+bias": lambda: F.linear(a, w, w[:, 0].contiguous()), "bmm": lambda: a.expand(2, -1, -1) @ b.expand(2, -1, -1),
                     "linear+strided bias": lambda: F.linear(a, w, w[:, 0]), "backward of linear+bias": lambda: F.linear(a, w, w[:, 0].contiguous()).sum().backward(), "einsum": lambda: torch.einsum("rk,kc->rc", a, b), "mv": lambda: a @ b[:, 0], "bmm of one": lambda: torch.bmm(a[None], b[None]),
                     "conv": lambda: F.conv2d(torch.randn(1, 4, 8, 8, device="cuda", dtype=d), torch.randn(4, 4, 3, 3, device="cuda", dtype=d)), "math attention": lambda: F.scaled_dot_product_attention(a[None, None], a[None, None], a[None, None])}.items():
            try: f(); ok = True
            except RuntimeError as e: ok = False
            found.setdefault(n, []).append(ok)
for n, oks in found.items(): print(f"{n}: ran {sum(oks)} of {len(oks)}")
print("REFUTED" if any(found["mm"]) or any(found["linear"]) or not all(found["bmm"]) or not all(found["linear+bias"]) else "HOLDS")
