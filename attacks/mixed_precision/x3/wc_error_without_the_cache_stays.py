"""weight_cache.md: "Without the cache, the error falls as the uses become more" (plot) / "with `cache_enabled=False`, each use
adds its gradient in FP32, and the error with 1024 steps is" at most 0.1 %; "in one call it stays at a fraction of a percent".
Attack: the page's layer has 8 x 32 outputs, so that each step's gradient, 1/256, is exact in BF16. Take widths for which
1/(8 x width) is rounded: every step has the same rounding in the same direction, which no sum in FP32 averages out.
Refuted if at another width the error without the cache does not fall from 16 to 1024 uses and is above 0.1 %."""
import torch

dev = "cuda" if torch.cuda.is_available() else "cpu"


def gradient(width, uses, cache, enabled=True, together=False):
    torch.manual_seed(0)
    layer = torch.nn.Linear(32, width, bias=False, device=dev)
    steps = torch.rand(uses, 8, 32, device=dev)
    if not enabled:
        layer, steps = layer.double(), steps.double()
    with torch.autocast(dev, dtype=torch.bfloat16, enabled=enabled, cache_enabled=cache):
        if together:
            loss = layer(steps).to(torch.float64).mean((1, 2)).sum()
        else:
            loss = sum(layer(step).to(torch.float64).mean() for step in steps)
    loss.backward()
    return layer.weight.grad.double()


bad = []
for width in (43, 48, 32):
    errors = {}
    for uses in (16, 1024):
        truth = gradient(width, uses, True, enabled=False)
        e = lambda g: ((g - truth).norm() / truth.norm()).item()
        errors[uses] = e(gradient(width, uses, False))
        together = e(gradient(width, uses, True, together=True))
    rounded = (torch.tensor(1 / (8 * width)).bfloat16().item() * 8 * width - 1)
    print(f"width {width}: without the cache {errors[16]:.2%} with 16 uses, {errors[1024]:.2%} with 1024; one call {together:.2%}; 1/(8 w) is rounded by {rounded:+.2%}")
    if errors[1024] > 0.001 and errors[1024] > 0.7 * errors[16]:
        bad.append(f"width {width}: {errors[16]:.2%} -> {errors[1024]:.2%}")
print(f"REFUTED: the error without the cache does not fall: {'; '.join(bad)}" if bad else "NOT REFUTED: three widths")
