"""Sentence: accumulated gradients of a graphed callable come out as twice the last gradient.

Other shapes and types: a convolution in channels last, BF16, three batches, a frozen layer before
it, a second (eager) user of the same parameter, gradients with a post-accumulate hook.
"""
import copy, torch
torch.manual_seed(0)
def vec(m): return torch.cat([p.grad.flatten().float() for p in m.parameters() if p.grad is not None])
def case(name, plain, make, n=2, hook=False, prep=lambda m: None):
    model = copy.deepcopy(plain); prep(model); prep(plain)
    torch.cuda.make_graphed_callables(model, (make(),))
    if hook:
        for p in model.parameters(): p.register_post_accumulate_grad_hook(lambda p: None)
    data = [make() for _ in range(n)]
    for b in data: model(b).float().mean().backward()
    for b in data: plain(b).float().mean().backward()
    total, found = vec(plain), vec(model)
    plain.zero_grad(); plain(data[-1]).float().mean().backward()
    last = vec(plain)
    rel = lambda a, b: ((a - b).norm() / b.norm()).item()
    out = {"to sum": rel(found, total), "to twice the last": rel(found, 2 * last)}
    print(name, out)
    return out["to sum"] > 0.02 and out["to twice the last"] < 0.02
L = torch.nn.Linear
held = [
    case("linear, 3 batches", torch.nn.Sequential(L(64, 64), torch.nn.ReLU(), L(64, 8)).cuda(), lambda: torch.randn(16, 64, device="cuda"), 3),
    case("bf16", torch.nn.Sequential(L(64, 64), torch.nn.ReLU(), L(64, 8)).cuda().bfloat16(), lambda: torch.randn(16, 64, device="cuda").bfloat16()),
    case("conv", torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU()).cuda().to(memory_format=torch.channels_last), lambda: torch.randn(4, 3, 16, 16, device="cuda").to(memory_format=torch.channels_last)),
    case("hook", torch.nn.Sequential(L(64, 8)).cuda(), lambda: torch.randn(16, 64, device="cuda"), hook=True),
    case("input needs a gradient", torch.nn.Sequential(L(64, 8)).cuda(), lambda: torch.randn(16, 64, device="cuda", requires_grad=True)),
]
print("HOLDS" if all(held) else "REFUTED", held)
