"""foreach == weights_bytes: odd sizes, many dtypes, two groups"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

ps = [torch.randn(n, device="cuda", requires_grad=True) for n in (1_000_003, 17, 3_000_001, 300)]
for p in ps: p.grad = torch.randn_like(p)
out = {}
for form in ({}, {"fused": True}, {"foreach": False}):
    o = torch.optim.AdamW(ps, **form); o.step(); torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats(); b = torch.cuda.memory_allocated(); o.step()
    out[str(form)] = torch.cuda.max_memory_allocated() - b
W = sum(p.nbytes for p in ps); print(W, out)
verdict(out["{'fused': True}"] != 0, "a fused step takes nothing, whatever the sizes")
