"""Attack: 'a scheduler fills the tensor by itself' (frozen_values.md) for OneCycleLR and CyclicLR, which also change momentum."""
import torch
from torch.optim import lr_scheduler as S
MAKE = {
    "SGD": lambda w: torch.optim.SGD([w], lr=torch.tensor(0.1, device="cuda"), momentum=0.9, fused=True),
    "Adam": lambda w: torch.optim.Adam([w], lr=torch.tensor(0.1, device="cuda"), capturable=True)}
CYCLE = {"OneCycleLR": lambda o, m: S.OneCycleLR(o, 0.5, total_steps=20, cycle_momentum=m),
         "CyclicLR": lambda o, m: S.CyclicLR(o, 0.1, 0.5, step_size_up=4, cycle_momentum=m)}
def made(kind, cycle, momentum):
    torch.manual_seed(0)
    w = torch.nn.Parameter(torch.randn(1000, device="cuda")); w.grad = torch.randn_like(w)
    o = MAKE[kind](w); s = CYCLE[cycle](o, momentum)
    for _ in range(2): o.step()
    return w, o, s
seen = {}
for kind in MAKE:
    for cycle in CYCLE:
        for momentum in (False, True):
            (w, o, s), (v, p, t) = made(kind, cycle, momentum), made(kind, cycle, momentum)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph): o.step()
            graph.replay(); p.step()  # a first step at the rate and momentum of the capture
            apart = [(w - v).abs().max().item()]
            for _ in range(8):
                s.step(); t.step(); graph.replay(); p.step()
                apart.append((w - v).abs().max().item())
            seen[f"{kind} {cycle} momentum={momentum}"] = (f"{apart[0]:.1e}", f"{apart[-1]:.1e}")
print({"apart from eager, first and last": seen})
far = [k for k, a in seen.items() if float(a[1]) > 1e-4]
odd = [k for k in far if "momentum=False" in k]
if odd: print("REFUTED even the learning rate is not followed:", odd)
elif far: print("REFUTED the momentum stays frozen (the learning rate is followed):", far)
else: print("HOLDS momentum is followed as well")
