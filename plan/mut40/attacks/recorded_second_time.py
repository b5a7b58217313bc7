"""Attack: reduce_overhead.md 'With one call in each step, a size is recorded when it comes up for the second time, and replayed from the third': automatic dynamic sizes, sizes in turns, training, a moved weight."""
# LONG 45
import time, torch
begin = time.perf_counter()
count, enter = [0], torch.cuda.graph.__enter__
def counted(self): count[0] += 1; return enter(self)
torch.cuda.graph.__enter__ = counted
def fresh(function=lambda x: (x.clone() * 2).sin(), **words):
    torch.compiler.reset()
    return torch.compile(function, mode="reduce-overhead", **words)
def ones(n): return torch.ones(n, device="cuda")
def each(calls):  # captures in each call; a call is a step
    found = []
    for call in calls:
        torch.compiler.cudagraph_mark_step_begin()
        before = count[0]; result = call(); del result
        found.append(count[0] - before)
    return found
seen = {}
def note(name, counts, wanted): seen[name] = (counts, wanted); print(f"{time.perf_counter() - begin:.0f} s", name, counts, wanted, flush=True)
f = fresh(dynamic=True)
note("plain", each([lambda: f(ones(1000))] * 4), [0, 1, 0, 0])
note("two sizes in turns", each([lambda n=n: f(ones(n)) for n in (2000, 3000) * 3]), [0, 0, 1, 1, 0, 0])
note("both again, after another size", each([lambda n=n: f(ones(n)) for n in (4000, 2000, 3000, 1000)]), [0, 0, 0, 0])
g = fresh()  # sizes become dynamic by themselves, with the second one
note("automatic", each([lambda n=n: g(ones(n)) for n in (1000,) * 3 + (1001,) * 3 + (1000,) * 3]), [0, 1, 0, 0, 1, 0, 0, 0, 0])
moving = torch.nn.Linear(64, 64, device="cuda").requires_grad_(False); a, kept = fresh(moving), [moving.weight.data]
def moved():
    kept.append(kept[0].clone()); moving.weight.data = kept[-1]  # each in memory of its own
    return a(torch.ones(16, 64, device="cuda"))
note("a weight that moves", each([moved] * 5), [0, 1, 0, 0, 0])
layer = torch.nn.Linear(64, 64, device="cuda"); t = fresh(layer, dynamic=True)
def train(n): layer.zero_grad(); t(torch.ones(n, 64, device="cuda")).sum().backward()
note("training", each([lambda n=n: train(n) for n in (16, 16, 16, 16, 32, 32, 32)]), [0, 2, 0, 0, 0, 2, 0])
bad = {n: c for n, (c, wanted) in seen.items() if c != wanted}
if "plain" in bad: print("REFUTED even in the plain case:", bad)
else: print(f"REFUTED in {bad}" if bad else "HOLDS in every case")
