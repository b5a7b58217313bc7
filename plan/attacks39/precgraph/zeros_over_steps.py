"""Attack: 'gradients are zeros, in memory of their own, before each step' (graphed_callables.md): are zeros given once plus zero_grad(set_to_none=False) right over steps?"""
import copy, torch
torch.manual_seed(0)
plain = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.Tanh(), torch.nn.Linear(128, 1)).cuda()
def run(way, rounds=12):
    model, eager = copy.deepcopy(plain), copy.deepcopy(plain)
    torch.cuda.make_graphed_callables(model, (torch.randn(32, 64, device="cuda"),))
    ours = torch.optim.AdamW(model.parameters(), lr=1e-3)
    theirs = torch.optim.AdamW(eager.parameters(), lr=1e-3)
    def zeros():
        for p in model.parameters(): p.grad = torch.zeros_like(p)
    if way == "after a plain step": model(torch.randn(32, 64, device="cuda")).mean().backward()
    zeros()
    places, wrong = [p.grad.data_ptr() for p in model.parameters()], 0
    for n in range(rounds):
        if way == "zeros each step": zeros()
        else: ours.zero_grad(set_to_none=False)
        theirs.zero_grad()
        for batch in torch.randn(3, 32, 64, device="cuda"):
            for m in (model, eager): m(batch).square().mean().backward()
        if way == "clipped":
            for m in (model, eager): torch.nn.utils.clip_grad_norm_(m.parameters(), 0.1)
        a, b = (torch.cat([p.grad.flatten() for p in m.parameters()]) for m in (model, eager))
        wrong += ((a - b).norm() > 0.01 * b.norm()).item()
        ours.step(); theirs.step()
        if way == "copied back": eager.load_state_dict(model.state_dict())
    kept = places == [p.grad.data_ptr() for p in model.parameters()]
    return {"wrong": wrong, "same_memory": kept}
seen = {way: run(way) for way in ("zeros once", "zeros each step", "after a plain step", "clipped", "copied back")}
print(seen)
bad = [way for way, r in seen.items() if r["wrong"]]
print(f"REFUTED {bad}" if bad else "HOLDS zeros given once and set_to_none=False are right in 12 steps of 3 batches")
