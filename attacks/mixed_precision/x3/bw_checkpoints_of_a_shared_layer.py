"""backward.md: "The gradients have the bits of those without checkpoints" ... "A layer that is used in two checkpoints works,
too."
Attack: the second sentence's case, with the first sentence's question: one layer used in 2 and 64 checkpoints. Without
checkpoints, the cached copy adds its uses in 16 bits; each checkpoint that computes again casts anew, outside that block.
Refuted if the weight's gradient of a layer that is used in several checkpoints has other bits than without checkpoints, in a
case where two runs without checkpoints agree."""
import torch
from torch.utils.checkpoint import checkpoint

dev = "cuda" if torch.cuda.is_available() else "cpu"


def gradient(uses, how, cache=True, enabled=True):
    torch.manual_seed(0)
    layer = torch.nn.Linear(32, 32, bias=False, device=dev)
    steps = torch.rand(uses, 8, 32, device=dev).requires_grad_()
    if not enabled:
        layer, steps = layer.double(), steps.detach().double().requires_grad_()
    total = 0
    with torch.autocast(dev, dtype=torch.bfloat16, enabled=enabled, cache_enabled=cache):
        for step in steps:
            result = layer(step) if how is None else checkpoint(layer, step, use_reentrant=how)
            total = total + result.double().mean()
    total.backward()
    return layer.weight.grad.double()


bad = []
for uses in (1, 2, 64):
    truth = gradient(uses, None, enabled=False)
    error = lambda g: ((g - truth).norm() / truth.norm()).item()
    plain, again = gradient(uses, None), gradient(uses, None)
    row = {how: gradient(uses, how) for how in (False, True)}
    print(f"{uses} uses: without checkpoints {error(plain):.2%} (twice the same bits {torch.equal(plain, again)}); " + "; ".join(
        f"use_reentrant={how} {error(g):.2%}, the same bits {torch.equal(g, plain)}" for how, g in row.items()))
    for how, g in row.items():
        if torch.equal(plain, again) and not torch.equal(g, plain):
            bad.append(f"{uses} uses, use_reentrant={how}: error {error(g):.2%} against {error(plain):.2%}")
print(f"REFUTED: other bits with checkpoints: {'; '.join(bad)}" if bad else "NOT REFUTED: 1 to 64 checkpoints of one layer")
