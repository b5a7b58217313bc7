"""Attack: 'A size is recorded when it comes up for the second time, and replayed from the third' for one step, automatic dynamic sizes, orders, training."""
# LONG 40
import torch
count, enter = [0], torch.cuda.graph.__enter__
def counted(self): count[0] += 1; return enter(self)
torch.cuda.graph.__enter__ = counted
mark = torch.compiler.cudagraph_mark_step_begin
def fresh(function=lambda x: (x.clone() * 2).sin(), **words):
    torch.compiler.reset()
    return torch.compile(function, mode="reduce-overhead", **words)
def ones(n): return torch.ones(n, device="cuda")
def each(calls):  # captures in each call
    found = []
    for call in calls:
        before = count[0]; result = call(); del result
        found.append(count[0] - before)
    return found
seen = {}
f = fresh(dynamic=True); seen["plain"] = each([lambda: f(ones(1000))] * 4)
g = fresh(); seen["automatic: 1000 x3, 1001 x3, 1000 x3"] = each([lambda n=n: g(ones(n)) for n in (1000,) * 3 + (1001,) * 3 + (1000,) * 3])
h = fresh(dynamic=True)
def pair(a, b): mark(); return h(ones(a)), h(ones(b))
seen["a step of two calls of one size"] = each([lambda: pair(1000, 1000)] * 4)
k = fresh(dynamic=True)
def other(a, b): mark(); return k(ones(a)), k(ones(b))
seen["steps A B x4, then B A x3"] = each([lambda: other(1000, 2000)] * 4 + [lambda: other(2000, 1000)] * 3)
layer = torch.nn.Linear(64, 64, device="cuda"); t = fresh(layer, dynamic=True)
def train(n): layer.zero_grad(); t(torch.ones(n, 64, device="cuda")).sum().backward()
seen["training"] = each([lambda n=n: train(n) for n in (16, 16, 16, 16, 32, 32, 32)])
moving = torch.nn.Linear(64, 64, device="cuda").requires_grad_(False); a, kept = fresh(moving), [moving.weight.data]
def moved():
    kept.append(kept[0].clone()); moving.weight.data = kept[-1]  # each in memory of its own
    return a(torch.ones(16, 64, device="cuda"))
seen["a weight that moves"] = each([moved] * 5)
print(seen)
def late(counts): return any(counts[2:])
plain = seen["plain"]
if plain != [0, 1, 0, 0]: print("REFUTED even in the plain case:", plain)
else:
    bad = [n for n, c in seen.items() if (n.startswith("automatic") and any(c[6:])) or (n.startswith("steps") and any(c[4:])) or (n.startswith("a step") and c != [1, 0, 0, 0]) or (n.startswith("a weight") and late(c))]
    print(f"REFUTED recorded again or later: {bad}" if bad else "HOLDS in every case")
