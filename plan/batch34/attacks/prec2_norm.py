"""Claims: norm, std etc. overflow in FP32 on the GPU, FP64 does not; clip_grad_norm_ gives zeros (foreach or not); FP16 norms are safe."""
import torch
bad = []; a = torch.tensor([1e20, 1e20], device="cuda")
for n, f in {"norm": a.norm, "vector_norm": lambda: torch.linalg.vector_norm(a), "foreach": lambda: torch._foreach_norm([a])[0], "matrix_norm": lambda: torch.linalg.matrix_norm(a[None]), "long": lambda: torch.full((10**6,), 1e20, device="cuda").norm(), "dim": lambda: a[None].norm(dim=1)[0]}.items():
    v = f(); print(n, v.item()); bad += [n] if v.isfinite() else []
for foreach in (True, False):
    w = torch.nn.Parameter(torch.zeros(4, device="cuda")); w.grad = torch.full((4,), 1e20, device="cuda"); torch.nn.utils.clip_grad_norm_([w], 1.0, foreach=foreach); print("clip", foreach, w.grad.tolist()); bad += [] if (w.grad == 0).all() else ["clip"]
for d in (torch.half, torch.bfloat16):
    h = torch.full((10**6,), 30.0, device="cuda", dtype=d); print(d, h.norm().item(), torch._foreach_norm([h])[0].item(), h.std().item())
    bad += [str(d)] if not h.norm().isfinite() else []
print("REFUTED" if bad else "HOLDS", bad)
