"""Claim attacked: a tensor without dimensions on the host is frozen in a graph, without an error."""
import torch
x = torch.ones(8, device="cuda"); mask = x > 0
h = torch.tensor(1.0); hd = torch.tensor(1.0, dtype=torch.float64); hp = torch.tensor(1.0).pin_memory(); hi = torch.tensor(1)
CASES = {"add": lambda: x + h, "double": lambda: x * hd, "int": lambda: x * hi, "where": lambda: torch.where(mask, h, x * 0),
         "pow": lambda: (x * 2) ** h, "addcmul": lambda: torch.addcmul(x, x, h), "maximum": lambda: torch.maximum(x * 0, h),
         "foreach": lambda: torch._foreach_mul([x], h)[0], "lerp": lambda: torch.lerp(x * 0, x, h), "fill": lambda: torch.empty_like(x).fill_(h), "clamp": lambda: torch.clamp(x * 9, max=h)}
bad, raised = [], []
for name, f in CASES.items():
    for t in (h, hd, hi): t.fill_(1)
    try:
        first = f().clone(); torch.cuda.synchronize()
        g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g): y = f()
        for t in (h, hd, hi): t.fill_(3)
        g.replay()
        if not torch.equal(y, first): bad.append(name)
    except RuntimeError as e:
        raised.append((name, str(e.__context__ or e).splitlines()[0][:90]))
        if e.__context__ is not None: print("spoiled", raised); break
print("raised:", raised)
print("REFUTED: followed: " + ", ".join(bad) if bad else "HOLDS for those that were captured")
