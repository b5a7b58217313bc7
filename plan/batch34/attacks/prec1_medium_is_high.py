"""Attack: "medium" has the bits of "high": other shapes, layouts, batches, addmm, backward, autocast off."""
import torch
torch.manual_seed(0); d = dict(device="cuda"); bad = []
def run(level, f): torch.set_float32_matmul_precision(level); return f()
for m, k, n in [(1, 4096, 4096), (4096, 1, 64), (17, 33, 65), (128, 128, 128), (4096, 64, 4096), (8192, 8192, 1), (1000, 1001, 1002)]:
    a, b = torch.randn(m, k, **d), torch.randn(k, n, **d)
    for name, f in {"mm": lambda: a @ b, "T": lambda: (b.T.contiguous().T).T @ a.T, "addmm": lambda: torch.addmm(torch.ones(n, **d), a, b), "linear": lambda: torch.nn.functional.linear(a, b.T, torch.ones(n, **d))}.items():
        if not torch.equal(run("high", f), run("medium", f)): bad.append((m, k, n, name))
c = torch.randn(16, 200, 200, **d)
for name, f in {"bmm": lambda: c @ c, "baddbmm": lambda: torch.baddbmm(c, c, c, alpha=2), "cdist": lambda: torch.cdist(c, c)}.items():
    if not torch.equal(run("high", f), run("medium", f)): bad.append(name)
torch.set_float32_matmul_precision("highest")
print("REFUTED" if bad else "HOLDS", bad)
