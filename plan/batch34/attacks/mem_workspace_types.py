"""later-products-take-nothing: other types, shapes, bias, batched, backward of them"""
import torch
MIB = 2**20
def make(mib): return torch.empty(int(mib * MIB), dtype=torch.uint8, device="cuda")
def verdict(bad, why): print("REFUTED" if bad else "HOLDS", why)

def grown(f):
    torch.cuda.synchronize(); b = torch.cuda.memory_allocated(); r = f(); del r; torch.cuda.synchronize(); return torch.cuda.memory_allocated() - b
a = torch.zeros(256, 256, device="cuda"); a @ a
out = {}
for t in (torch.float32, torch.bfloat16, torch.float16, torch.float64):
    x = a.to(t); out[str(t)] = grown(lambda: x @ x)
x = a.bfloat16()
out["bmm"] = grown(lambda: torch.bmm(x[None].repeat(4, 1, 1), x[None].repeat(4, 1, 1)))
out["linear bias"] = grown(lambda: torch.nn.functional.linear(a, a, a[0]))
out["linear bias again"] = grown(lambda: torch.nn.functional.linear(a, a, a[0]))
print(out); verdict(any(v for k, v in out.items() if k != "linear bias"), "after the first product")
